"""Refuse other languages than English."""

from functools import cache
from typing import TYPE_CHECKING, Final

from uaeval.errors import LanguageError

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier  # type: ignore[import-untyped, unused-ignore]

_ENGLISH: Final = frozenset({"auto", "en", "eng", "english", "en-us", "en-gb"})
_SURE: Final = 0.8
"""Probability from which a text is taken to be in another language; names and lists stay below."""
_SAMPLE: Final = 5_000
"""Characters."""


def require_english(language: str) -> None:
    """Raise `LanguageError` unless English is wanted."""
    if language.strip().lower() not in _ENGLISH:
        raise LanguageError(
            f"the offline engine writes English only, not {language.strip()}; "
            "choose another model for it"
        )


def other_language(text: str) -> str | None:
    """Return the ISO 639-1 code of a text that is surely not English; else `None`."""
    sample = " ".join(text[:_SAMPLE].split())
    if not any(letter.isalpha() for letter in sample):
        return None
    code, probability = _identifier().classify(sample)
    return str(code) if code != "en" and probability >= _SURE else None


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
