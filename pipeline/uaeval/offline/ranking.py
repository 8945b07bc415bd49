"""Rank the sentences of passages by how much of a question they cover."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from uaeval.records import Passage
from uaeval.text.amounts import Kind, amounts
from uaeval.text.sentences import sentences
from uaeval.text.words import share, stems, weigh

LONGEST: Final = 60
"""Most words of an answer."""
_COVERED: Final = 0.55  # share of the question's weight that a sentence with its headings covers
_COVERED_ALONE: Final = 0.3
_MARKUP: Final = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}|!?\[([^\]]*)\]\([^)]*\)")
_KINDS: Final = (
    (r"\bhow (?:long|soon|often|early|late)\b", frozenset({Kind.DURATION, Kind.DATE, Kind.TIME})),
    (r"\bhow (?:many|much)\b", frozenset(Kind)),
    (r"\b(?:at )?what time\b", frozenset({Kind.TIME, Kind.DURATION})),
    (r"\bwhat (?:year|date|day)\b", frozenset({Kind.DATE, Kind.NUMBER})),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage, and how well it answers a question."""

    text: str
    passage: int
    place: int
    own: frozenset[str]
    """Its stems, with those of a question right above it."""
    headings: frozenset[str]
    """The stems of title and heading."""
    score: float = 0.0


def ranked(question: str, passages: Sequence[Passage]) -> list[Sentence]:
    """Return the sentences that cover enough of the question, the best first."""
    shown = [sentence for passage in passages for sentence in _sentences(passage)]
    weights = weigh(question, [sentence.own | sentence.headings for sentence in shown])
    kinds = asked_kinds(question)
    answers = [
        replace(sentence, text=_with_list(sentence, shown), score=score)
        for sentence in shown
        if fits(sentence.text, kinds) and (score := _score(weights, sentence)) > 0
    ]
    return sorted(answers, key=lambda answer: -answer.score)


def _with_list(sentence: Sentence, shown: Sequence[Sentence]) -> str:
    """Return the text of a sentence, with what follows if it ends in a colon."""
    text = sentence.text
    for following in shown[shown.index(sentence) + 1 :] if text.endswith(":") else ():
        longer = f"{text} {following.text}"
        if following.passage != sentence.passage or len(longer.split()) > LONGEST:
            break
        text = longer
    return text


def asked_kinds(question: str) -> frozenset[Kind]:
    """Return the kinds of amount that the answer has one of; empty if it needs no amount."""
    return next((kinds for form, kinds in _KINDS if re.search(form, question, re.I)), frozenset())


def fits(text: str, kinds: frozenset[Kind]) -> bool:
    """Return whether a text has an amount of one of the kinds; without kinds any text fits."""
    return not kinds or any(amount.kind in kinds for amount in amounts(text))


def _score(weights: Mapping[str, float], sentence: Sentence) -> float:
    """Return how well a sentence answers; 0 if it does not cover enough."""
    alone = share(weights, sentence.own)
    covered = share(weights, sentence.own | sentence.headings)
    return (alone + covered) / 2 if covered >= _COVERED and alone >= _COVERED_ALONE else 0.0


def _sentences(passage: Passage) -> Iterator[Sentence]:
    """Yield the sentences that are no questions; the words of a question above one count for it."""
    headings = stems(f"{passage.title} {passage.heading}")
    asked = frozenset[str]()
    for place, (text, own) in enumerate(_plain_sentences(passage.text)):
        if text.endswith("?"):
            asked = own
        else:
            yield Sentence(text, passage.number, place, own | asked, headings)
            asked = frozenset()


@lru_cache(maxsize=4096)
def _plain_sentences(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    plain = (_MARKUP.sub(r"\1", sentence) for sentence in sentences(text))
    return tuple((sentence, stems(sentence)) for sentence in plain if len(sentence.split()) > 2)
