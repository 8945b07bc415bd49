"""Days, from the many ways in which documents and feeds write them."""

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_ISO: Final = re.compile(r"\s*(\d{4})-?(\d{2})-?(\d{2})(?:\D.*)?", re.DOTALL)
_MILLISECONDS_FROM: Final = 100_000_000_000
"""A larger number of seconds would be past the year 5000."""


def day_of(value: object) -> str | None:
    """Return a day as `2026-03-14`; `None` if the value tells none that can be relied on.

    Dates and times, ISO 8601 (with or without hyphens), the dates of e-mail and RSS, and seconds or
    milliseconds since 1970 are read. `03/04/2026` is not: it may be of March or of April.
    """
    if isinstance(value, datetime):
        return (value.astimezone(UTC) if value.tzinfo else value).date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _from_seconds(value)
    return _from_text(value) if isinstance(value, str) else None


def _from_seconds(value: float) -> str | None:
    seconds = value / 1000 if value >= _MILLISECONDS_FROM else value
    if not 0 < seconds < _MILLISECONDS_FROM:
        return None
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _from_text(value: str) -> str | None:
    text = value[:64]
    if match := _ISO.fullmatch(text):
        try:
            return date(int(match[1]), int(match[2]), int(match[3])).isoformat()
        except ValueError:
            return None
    try:
        return parsedate_to_datetime(text).date().isoformat()
    except (ValueError, IndexError, OverflowError):
        return None
