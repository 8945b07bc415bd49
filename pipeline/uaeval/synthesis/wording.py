"""Comparing wordings: what counts as the same words, the same answer, the same question."""

import itertools
import re
import unicodedata

_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-"})
_WORD = re.compile(r"\w+(?:[.,:]\d+)*")
_EMPTY = frozenset(
    "a an and are as at be by can do does for from has have how i if in is it its may me must my "
    "of on or our should that the their there they this to up us was we what when where which "
    "who will with you your".split()
)


def normalise(text: str) -> str:
    """Fold case, width, quotation marks, dashes and white space."""
    folded = unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()
    return " ".join(folded.split())


def words(text: str) -> tuple[str, ...]:
    """Return the normalised words, numbers whole (`10:30`, `1,000`)."""
    return tuple(_WORD.findall(normalise(text)))


def content_words(text: str) -> frozenset[str]:
    """Return the words that carry meaning: all but English function words."""
    return frozenset(words(text)) - _EMPTY


def stands_in(part: str, whole: str) -> bool:
    """Say whether `part` stands verbatim in `whole`, but for case, quotes and white space."""
    return bool(part.strip()) and normalise(part) in normalise(whole)


def covered_by(answer: str, text: str, share: float = 0.6) -> bool:
    """Say whether `text` holds every number of `answer` and at least `share` of its words.

    A bare yes or no stands in no text; whether it is right is left to the verifier.
    """
    if normalise(answer).strip(" .!") in {"yes", "no"}:
        return True
    wanted, held = content_words(answer) - {"yes", "no"}, frozenset(words(text))
    numbers = {word for word in wanted if any(sign.isdigit() for sign in word)}
    if not wanted:
        return stands_in(answer, text)
    return numbers <= held and len(wanted & held) >= share * len(wanted)


def opening(question: str) -> tuple[str, ...]:
    """Return the first four words."""
    return words(question)[:4]


def word_pairs(text: str) -> frozenset[tuple[str, ...]]:
    """Return each two neighbouring words of `text`; the words themselves if fewer than two."""
    found = words(text)
    return frozenset(itertools.pairwise(found)) or frozenset([found])


def overlap(one: frozenset[tuple[str, ...]], two: frozenset[tuple[str, ...]]) -> float:
    """Return the Jaccard overlap of two sets, in [0, 1]."""
    return len(one & two) / len(one | two)
