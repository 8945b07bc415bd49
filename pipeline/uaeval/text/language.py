"""Detect the language of a text."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from tempfile import gettempdir
from typing import TYPE_CHECKING, Final

from uaeval.errors import StorageError
from uaeval.text.english import frequency
from uaeval.text.words import ENGLISH_STOP_WORDS

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier  # type: ignore[import-untyped, unused-ignore]

_SAMPLE: Final = 5_000
"""Number of first characters of a text that are classified."""
_SURE: Final = 0.8
"""Probability from which on a language is certain; names and lists have lower ones."""
_LATIN: Final = re.compile(r"[a-z\u00c0-\u024f]", re.IGNORECASE)
_WORDS: Final = 5
"""Fewest words of an English text that has function words."""
_KNOWN: Final = 2.3
"""Zipf frequency from which a word is English."""
_TEXTS: Final = 60
_MINORITY: Final = 0.1
"""A language with a smaller share of the texts counts as a detection error."""


def languages_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the languages of a sample of the texts, the most frequent first."""
    sample = texts[:: max(1, len(texts) // _TEXTS)]
    counts = Counter(language_of(text) for text in sample)
    return tuple(name for name, n in counts.most_common() if n >= _MINORITY * len(sample))


def language_of(text: str) -> str:
    """Return the ISO 639-1 code of the text's language; `und` if it has no letters."""
    return _classified(text)[0]


def surely_foreign(text: str) -> bool:
    """Return whether a text is certainly in another language than English."""
    code, probability = _classified(text)
    return code not in {"en", "und"} and probability >= _SURE


def is_not_english(text: str, words: Sequence[str]) -> bool:
    """Return whether a text with these words is mainly in another script or another language."""
    letters = [letter for letter in text if letter.isalpha()]
    if letters and sum(bool(_LATIN.match(letter)) for letter in letters) < len(letters) / 2:
        return True
    english = sum(word in ENGLISH_STOP_WORDS for word in words) / len(words)
    rare = sum(frequency(word) < 3 for word in words) / len(words)
    unusual = english < 0.2 and rare > 0.3 and language_of(text) != "en"
    return len(words) >= _WORDS and (unusual or (english < 0.3 and surely_foreign(text)))


def are_unknown(words: Sequence[str], question: str) -> bool:
    """Return whether a few words are unknown in English and not in the question."""
    known = (word in question.lower() or frequency(word) >= _KNOWN for word in words)
    return len(words) < _WORDS and not any(known)


@lru_cache(maxsize=16384)
def _classified(text: str) -> tuple[str, float]:
    sample = " ".join(text[:_SAMPLE].split())
    if not any(letter.isalpha() for letter in sample):
        return "und", 1.0
    code, probability = _identifier().classify(sample)
    return str(code), float(probability)


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    try:
        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError as error:  # the package unpacks its model into a temporary file
        raise StorageError(
            f"cannot unpack the language detector into {gettempdir()}: {error.strerror}; free some "
            "space there, or set TMPDIR to another folder"
        ) from error
