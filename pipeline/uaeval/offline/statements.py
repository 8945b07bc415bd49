"""Compare a statement with a passage: stated there, contradicted there, or neither."""

import re
from typing import Final

from uaeval.offline.ranking import asked_words
from uaeval.text.amounts import amounts, same, without_amounts
from uaeval.text.sentences import sentences
from uaeval.text.words import content_words, stems
from uaeval.types import Passage

HELD: Final = 0.6
"""Share of a statement's stems that a sentence stating it has."""
ON_TOPIC: Final = 0.3
"""Share of the question's stems where the statement itself is only an amount."""
ALIKE: Final = 0.75
"""Share of a claim's stems that a sentence contradicting it has."""
_NOT: Final = re.compile(
    r"\b(?:not|never|cannot|no|none|nobody|nothing|neither|without)\b|n['’]t\b"
)


def texts(text: str) -> tuple[str, ...]:
    """Return the sentences of a text that say something."""
    return tuple(sentence for sentence in sentences(text) if content_words(sentence))


def states(passage: Passage, statement: str, question: str = "") -> bool:
    """Return whether a sentence has the amounts of a statement and most of its other words."""
    values = amounts(statement)
    wanted, least = stems(" ".join(asked_words(without_amounts(statement)))), HELD
    if not wanted:
        wanted, least = stems(" ".join(asked_words(question))), ON_TOPIC
    around = stems(f"{passage.title} {passage.heading}")
    return any(
        len(wanted & (stems(sentence) | around)) >= least * len(wanted)
        and bool(stems(sentence) & wanted or not wanted)
        and all(any(same(value, other) for other in amounts(sentence)) for value in values)
        for sentence in texts(passage.text)
    )


def contradiction(passage: Passage, claim: str) -> str | None:
    """Return a sentence with the words of a claim and another amount or polarity.

    `None` if there is none, or another sentence agrees with the claim.
    """
    wanted = _plain(claim)
    alike = [
        sentence
        for sentence in texts(passage.text)
        if len(wanted & _plain(sentence)) >= ALIKE * len(wanted) > 0
    ]
    agreed = any(not _differs(sentence, claim) for sentence in alike)
    return None if agreed else next(iter(alike), None)


def _differs(sentence: str, claim: str) -> bool:
    values, others = amounts(claim), amounts(sentence)
    comparable = [value for value in values if any(other.kind is value.kind for other in others)]
    if any(not any(same(value, other) for other in others) for value in comparable):
        return True
    return (len(_NOT.findall(sentence.lower())) - len(_NOT.findall(claim.lower()))) % 2 == 1


def _plain(text: str) -> frozenset[str]:
    return stems(_NOT.sub(" ", without_amounts(text)))
