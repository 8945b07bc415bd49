"""Refuse other languages than English."""

from typing import Final

from uaeval.errors import LanguageError

_ENGLISH: Final = frozenset({"auto", "en", "eng", "english", "en-us", "en-gb"})


def require_english(language: str) -> None:
    """Raise `LanguageError` unless English is wanted."""
    if language.strip().lower() not in _ENGLISH:
        raise LanguageError(
            f"the offline engine writes English only, not {language.strip()}; "
            "choose another model for it"
        )
