"""The names and years in a text, which bind what it says to one thing or time."""

import re
from functools import lru_cache

from uaeval.llm.rules.english import grammar, meaning

_NAME = re.compile(r"(?<=[a-z,;:'’] )[A-Z][\w-]+|\b[A-Z]{2,}\w*\b|\b(?:1[89]|20)\d\d\b")
_NUMBERED = re.compile(r"\b[A-Za-z]{3,} \d+\b(?! (?:hour|day|week|month|year|minute)s?\b)")


def names_and_years(text: str) -> frozenset[str]:
    """Return the names and years in `text`, which bind what it says to one thing or time."""
    numbered = (name.lower() for name in _NUMBERED.findall(text) if name[0].isupper())
    return frozenset(grammar.stem(name) for name in _NAME.findall(text) if name != "I") | frozenset(
        name for name in numbered if name.split()[0] not in meaning.CALENDAR
    )


@lru_cache(maxsize=65536)
def words_in(text: str) -> frozenset[str]:
    """Return every word of `text` by its stem, and every name with its number."""
    numbered = {name.lower() for name in _NUMBERED.findall(text)}
    return frozenset(grammar.stem(word) for word in grammar.words(text)) | numbered
