"""Rank the sentences of passages by how much of a question they cover."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from uaeval.records import Passage
from uaeval.text.amounts import Kind, amounts
from uaeval.text.sentences import sentences
from uaeval.text.words import share, stems, weigh

COVERED: Final = 0.55
"""Share of the question's weight that a sentence with its headings must cover."""
OWN: Final = 0.3
"""The same without the headings."""
LONGEST: Final = 60
"""Words of an answer."""
_MARKUP: Final = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}|!?\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A sentence that answers a question, and how well."""

    text: str
    passage: int
    place: int
    score: float


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    passage: int
    place: int
    own: frozenset[str]
    """Its stems, with those of a question right above."""
    around: frozenset[str]
    """Those of title and heading."""


def ranked(question: str, passages: Sequence[Passage]) -> tuple[Ranked, ...]:
    """Return the sentences that cover enough of the question, the best first."""
    shown = [sentence for passage in passages for sentence in _sentences(passage)]
    weights = weigh(question, [sentence.own | sentence.around for sentence in shown])
    kinds = asked_kinds(question)
    fitting = [sentence for sentence in shown if fits(sentence.text, kinds)]
    answers = [
        Ranked(_with_list(sentence, shown), sentence.passage, sentence.place, score)
        for sentence in fitting
        if (score := _score(weights, sentence)) > 0
    ]
    return tuple(sorted(answers, key=lambda answer: -answer.score))


def _with_list(sentence: _Sentence, shown: Sequence[_Sentence]) -> str:
    """Return the text of a sentence, with what follows where it ends in a colon."""
    text = sentence.text
    for following in shown[shown.index(sentence) + 1 :] if text.endswith(":") else ():
        longer = f"{text} {following.text}"
        if following.passage != sentence.passage or len(longer.split()) > LONGEST:
            break
        text = longer
    return text


def asked_kinds(question: str) -> frozenset[Kind]:
    """Return the kinds of amount of which the answer has one; empty if any text will do."""
    text = question.lower()
    return next((kinds for pattern, kinds in _KINDS if re.search(pattern, text)), frozenset())


_KINDS: Final = (
    (r"\bhow (?:long|soon|often|early|late)\b", frozenset({Kind.DURATION, Kind.DATE, Kind.TIME})),
    (r"\bhow (?:many|much)\b", frozenset(Kind)),
    (r"\b(?:at )?what time\b", frozenset({Kind.TIME, Kind.DURATION})),
    (r"\bwhat (?:year|date|day)\b", frozenset({Kind.DATE, Kind.NUMBER})),
)


def fits(text: str, kinds: frozenset[Kind]) -> bool:
    """Return whether a text has an amount of one of the kinds; without kinds any text fits."""
    return not kinds or any(amount.kind in kinds for amount in amounts(text))


def _score(weights: Mapping[str, float], sentence: _Sentence) -> float:
    """Return how well a sentence answers; 0 if it does not cover enough."""
    own, all_in_all = share(weights, sentence.own), share(weights, sentence.own | sentence.around)
    return (own + all_in_all) / 2 if all_in_all >= COVERED and own >= OWN else 0.0


def _sentences(passage: Passage) -> Iterator[_Sentence]:
    """Yield the sentences that state something, each with the question that stands above it."""
    heading = stems(f"{passage.title} {passage.heading}")
    asked = frozenset[str]()
    for place, (text, own) in enumerate(_read(passage.text)):
        if text.endswith("?"):
            asked = own
        else:
            yield _Sentence(text, passage.number, place, own | asked, heading)
            asked = frozenset()


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    plain = (_MARKUP.sub(r"\1", sentence) for sentence in sentences(text))
    return tuple((sentence, stems(sentence)) for sentence in plain if len(sentence.split()) > 2)
