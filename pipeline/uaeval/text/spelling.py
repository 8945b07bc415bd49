"""Write out contractions, and compare the content words of two texts that are so written."""

import re
from typing import Final

from uaeval.resources import shipped_table
from uaeval.text import words

_SPELLED: Final = [
    (re.compile(old), new) for old, new in shipped_table("text/english.yaml")["spelled"]
]
_POLAR: Final = frozenset({"yes", "cannot"})
_CONCEDES: Final = re.compile(r"\W*(?:even |al)?though\b|\W*while\b", re.IGNORECASE)
_TURN: Final = re.compile(r"; |[;,] (?=(?:but|however|al?though|yet)\b)", re.IGNORECASE)


def spell_out(text: str) -> str:
    """Return a text in lower case, with straight quotes and without contractions."""
    plain = text.lower()
    for pattern, written in _SPELLED:
        plain = pattern.sub(written, plain)
    return plain


def contrasted(sentence: str) -> list[str]:
    """Return the clauses of a sentence that stand against each other: `…, but …`, `while …, …`."""
    return sentence.split(", ", 1) if _CONCEDES.match(sentence) else _TURN.split(sentence)


def stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text, without yes and no."""
    return words.stems(spell_out(text)) - _POLAR


def shared_stems(question: str, text: str) -> int:
    """Return how many content words two texts share, by their stems."""
    return len(stems(question) & stems(text))


def repeated(question: str, text: str) -> float:
    """Return the share of the question's content words that a text repeats."""
    return shared_stems(question, text) / max(1, len(stems(question)))
