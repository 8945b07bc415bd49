"""Which language a text is in."""

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from tempfile import gettempdir
from typing import TYPE_CHECKING, Final

from uaeval.errors import StorageError

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier  # type: ignore[import-untyped, unused-ignore]

_SAMPLE: Final = 5_000
"""Characters that show the language of a text."""
_SURE: Final = 0.8
"""Probability from which a language is not in doubt; names and lists stay below."""
_TEXTS: Final = 60
_MINORITY: Final = 0.1
"""A language with a smaller share of the texts is taken for an error of recognition."""


def languages_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the languages of the texts of a knowledge base, the most frequent first, by sample."""
    sample = texts[:: max(1, len(texts) // _TEXTS)]
    counts = Counter(language_of(text) for text in sample)
    return tuple(name for name, n in counts.most_common() if n >= _MINORITY * len(sample))


def language_of(text: str) -> str:
    """Return the ISO 639-1 code of the text's language; `und` if it has no letters."""
    return _classified(text)[0]


def surely_foreign(text: str) -> bool:
    """Return whether a text is in another language than English, and this is not in doubt."""
    code, probability = _classified(text)
    return code not in {"en", "und"} and probability >= _SURE


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
    except OSError as error:  # the package unpacks its model into a file of its own
        raise StorageError(
            f"cannot unpack the language detector into {gettempdir()}: {error.strerror}; free some "
            "space there, or name another folder in TMPDIR"
        ) from error
