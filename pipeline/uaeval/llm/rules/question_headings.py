"""Headings that are questions, with the sentence under them that answers."""

import re
from collections.abc import Iterator

from uaeval.llm.rules import grammar
from uaeval.llm.rules.clauses import Clause, noun_phrase
from uaeval.llm.rules.patterns import Fact, FactKind, fact_of
from uaeval.llm.rules.sentences import Sentence, plain, readings, sentences
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


_MEANS = re.compile(r"\b(?:by|through|via|using|use|click|go|submit|email|fill|contact|request)\b")


def _answers(question: str, sentence: Sentence) -> bool:
    """Say whether a sentence speaks of what is asked, and adds a statement of its own."""
    asked, told = grammar.content(question), grammar.content(sentence.plain)
    if len(sentence.plain.split()) > 25 or len(told - asked) < 3:
        return False
    if re.search(r"\b(?:we|us|depends|link|page)\b", sentence.plain):
        return False
    if question.startswith("How") and not _MEANS.search(sentence.plain.lower()):
        return False
    return len(asked & told) >= max(1, round(0.5 * len(asked)))
