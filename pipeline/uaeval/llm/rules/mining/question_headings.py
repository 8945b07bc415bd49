"""Headings that are questions, with the sentence under them that answers."""

import re
from collections.abc import Iterator

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.clauses import Clause, noun_phrase
from uaeval.llm.rules.mining.patterns import Fact, FactKind, fact_of
from uaeval.llm.rules.mining.reasons import imperative
from uaeval.llm.rules.mining.sentences import Sentence, plain, readings, sentences
from uaeval.llm.rules.mining.told import told
from uaeval.types import Passage

_ASKS = re.compile(
    r"^(?:What|Who|When|Where|Why|How (?:many|much|long|often|far|do|does|can|should|is|are)|"
    r"Which)\b[^?:;()]{8,90}\?$"
)
_MANY = re.compile(r"[^?]\?.*\?|\b(?:I know|we|us|our|you know|it|they|this|these|that)\b")
_KINDS = {
    "who": FactKind.PERSON,
    "when": FactKind.DATE,
    "where": FactKind.PLACE,
    "why": FactKind.REASON,
    "how": FactKind.PROCEDURE,
}


def headed(passage: Passage) -> Iterator[Fact]:
    """`## How do I renew a loan?` and a whole sentence that says how."""
    title = plain(passage.heading.split(" › ")[-1])
    asked = grammar.first_person(title)
    first = next(iter(sentences(passage)), None)
    if asked is None or not _ASKS.match(asked) or _MANY.search(asked) or first is None:
        return
    if not plain(passage.text).startswith(first.plain[:40]):
        return
    for reading in readings(first):
        if _answers(asked, reading):
            kind = _KINDS.get(asked.split()[0].lower(), FactKind.DEFINITION)
            answer = reading.plain.rstrip(".")
            yield fact_of(first, Clause(subject=""), kind, asked.rstrip("?"), answer,
                          topic=noun_phrase(asked), gap=answer)  # fmt: skip
            return


def _fits(question: str, text: str) -> bool:
    """Say whether a sentence has the form of an answer to such a question."""
    word = " ".join(question.split()[:2]).lower()
    if word in {"how many", "how much", "how long", "how often", "how far"}:
        return bool(re.search(r"\d|\b(?:two|three|four|five|six|ten|every|daily|weekly)\b", text))
    if word.startswith("how "):
        return imperative(text) or bool(re.match(r"(?:To|By) ", text))
    if word in {"what is", "what are", "who is", "who are"}:
        said = told(text)
        return said is not None and not said.base and _same(said.subject, question)
    if word.startswith("when "):
        return bool(re.search(r"\d|day\b|week|month|year", text))
    return word.startswith("what should") and imperative(text)


def _same(subject: str, question: str) -> bool:
    return grammar.content(question) <= grammar.content(subject)


def _answers(question: str, sentence: Sentence) -> bool:
    """Say whether a sentence speaks of what is asked, and adds a statement of its own."""
    asked, told = grammar.content(question), grammar.content(sentence.plain)
    if len(sentence.plain.split()) > 25 or len(told - asked) < 3:
        return False
    if re.search(r"\b(?:we|us|depends|link|page)\b", sentence.plain):
        return False
    if not _fits(question, sentence.plain):
        return False
    return len(asked & told) >= max(1, round(0.5 * len(asked)))
