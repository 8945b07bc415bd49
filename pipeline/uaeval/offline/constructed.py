"""Recognise queries that the offline author built from its templates.

Such a query is of its category whatever it is about: the proof is its form.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from uaeval.offline.tables import table
from uaeval.types import Category

_FIELD = re.compile(r"\\\{\w+\\\}")
_REASON = "reason"


def is_constructed(category: Category, question: str) -> bool:
    """Return whether a query is an instance of one of the category's templates."""
    return any(pattern.fullmatch(question) for pattern in _patterns(category))


@lru_cache
def _patterns(category: Category) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(_pattern(template)) for template in _templates(table(category)))


def _templates(entry: object) -> Iterator[str]:
    """Yield every template below an entry of a table."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, list):
        yield from entry
    elif isinstance(entry, dict):
        for name, part in entry.items():
            if name != _REASON:
                yield from _templates(part)


def _pattern(template: str) -> str:
    return _FIELD.sub(".{2,80}", re.escape(template))
