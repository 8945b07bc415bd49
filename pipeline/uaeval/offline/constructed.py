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
    entries = dict(table(category))
    asides = entries.pop("asides", [])
    templates = list(_templates(entries))
    if asides:
        overheard = "|".join(re.escape(str(aside)) for aside in asides)
        starts = (template.replace(",", "") for template in entries["starts"])
        templates += [f"{_pattern(start)} (?:{overheard})" for start in starts]
    return tuple(re.compile(template) for template in templates)


def _templates(entries: object) -> Iterator[str]:
    """Yield every template below an entry of a table, as a pattern."""
    if isinstance(entries, str):
        yield _pattern(entries)
    elif isinstance(entries, dict):
        for name, part in entries.items():
            if name != _REASON:
                yield from _templates(part)
    else:
        for part in entries:
            yield from _templates(part)


def _pattern(template: str) -> str:
    return _FIELD.sub(".{2,80}", re.escape(template))
