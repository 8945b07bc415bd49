"""Read dates and times of day in a marked text (see `numbers.marked`), in any notation."""

import calendar
import re
from datetime import date
from typing import Final

from uaeval.text.numbers import DAY, NUMBER, YEAR, Place

NO_YEAR: Final = 4
"""The leap year that replaces the year of a date without one."""
EITHER: Final = "day or month first"
FULL, YEARLESS, BARE_YEAR, CLOCK, HALF_DAY = "day", "yearless", "year", "24 hours", "12 hours"
"""Units of dates and times; a time of `12 hours` may be in either half of the day."""
Span = tuple[float, float, str]
"""First and last value, and unit."""

_NAMES: Final = [name.lower() for name in calendar.month_name]
_VERBS: Final = ("may", "march")
_PLAIN: Final = "|".join(name for name in _NAMES[1:] if name not in _VERBS)
_TITLED: Final = "|".join([*_VERBS, *(name[:3] for name in _NAMES[1:]), "sept"])
_MONTH: Final = rf"(?P<month>{_PLAIN}|(?-i:{_TITLED.title()}|{_TITLED.upper()}))\b\.?"
_D, _Y = f"(?P<day>{DAY})", f"(?P<year>{YEAR})"
_WEEKDAY: Final = rf"(?:(?:{'|'.join(calendar.day_name)}),?\s)?"
_FISCAL: Final = r"(?:fiscal\s(?:year\s)?|FY\s?)"
_SHORT_YEAR: Final = rf"'?(?P<year>{NUMBER})(?!\w)"
_QUARTER: Final = f"(?P<quarter>{DAY})"
_BEGIN, _END = r"(?<![\w/.-])", r"(?![\w/-])"
_HALF_WORDS: Final = (
    r"\s*(?:[ap]\.?m\b\.?|(?:in|at)\s(?:the\s)?(?:morning|afternoon|evening|night)\b)"
)
_HALF: Final = _HALF_WORDS.replace("(?:", "(?P<half>", 1)
_HOUR: Final = rf"(?<![\w:.$])(?P<hour>{NUMBER})"
_NOON: Final = r"\b(?P<word>noon|midday|midnight)\b"
_MINUTES: Final = rf"(?P<minutes>{NUMBER})"

DATES: Final = (
    rf"{_BEGIN}{_Y}-(?P<month_number>{NUMBER})-(?P<day>{NUMBER}){_END}",
    rf"{_BEGIN}{_D}(?P<sign>[/-])(?P<month_number>{DAY})(?P=sign){_Y}{_END}",
    rf"{_BEGIN}(?P<day>[0-3]?\d)\.(?P<month_number>[01]?\d)\.(?P<year>(?:19|20)\d\d){_END}",
    rf"\b{_WEEKDAY}{_MONTH}\s{_D}(?!\w)(?:,?\s{_Y}(?!\w))?",
    rf"(?<!\w){_D}\s(?:of\s)?{_MONTH}(?:,?\s{_Y}(?!\w))?",
    rf"\b{_MONTH},?\s(?:of\s)?{_Y}(?!\w)",
    rf"\bQ{_QUARTER}\s?(?:of\s)?{_FISCAL}?{_SHORT_YEAR}",
    rf"(?<!\w){_QUARTER}[\s-]quarter\s?(?:of\s)?(?:the\s)?{_FISCAL}?{_SHORT_YEAR}",
    rf"(?<!\w){_Y}\s?-?Q{_QUARTER}(?!\w)",
    rf"\b(?P<fiscal>{_FISCAL}){_SHORT_YEAR}",
    rf"(?<!\w){_Y}(?P<decade>s)\b",
    rf"\b(?-i:(?P<month>{_PLAIN.title()}))\b"
    r"|\b(?:in|of|since|until|by|from|to|next|last|early|late)\s(?-i:(?P<verb>May|March))\b",
)
YEAR_ALONE: Final = rf"(?<![\w#.,$])(?<!\w-){_Y}(?!\w|-(?!{NUMBER}))"
TIMES: Final = (
    rf"\b(?P<past>half|quarter)\s(?P<by>past|to)\s(?P<hour>{NUMBER})(?!\w)(?:{_HALF})?",
    rf"{_HOUR}(?::{_MINUTES})?"
    rf"(?=\s?(?:[-–—]|to|and|until)\s?{NUMBER}(?::{NUMBER})?{_HALF_WORDS})",
    rf"{_HOUR}(?:[:.]{_MINUTES}(?::{NUMBER})?)?{_HALF}",
    rf"{_HOUR}:{_MINUTES}(?::{NUMBER})?(?![\w:])",
    rf"{_HOUR}\so'clock\b(?:{_HALF})?",
    rf"{_HOUR}\s{_NOON}",
    _NOON,
)


def read_date(place: Place) -> Span | None:
    """Return first day, last day and unit of a date; `None` if the date does not exist."""
    year, day, quarter = map(place.whole, ("year", "day", "quarter"))
    month = _month(place)
    if year is not None and year < 100:
        year += 2000
    try:
        if quarter and year:
            return _months(year, 3 * quarter - 2, 3 * quarter)
        if month is not None:
            return _days(year, month, day, swapped=bool(place.group("sign")))
    except ValueError:
        return None
    if year is None or not 1900 <= year < 2100:
        return None
    decade = bool(place.group("decade"))
    unit = FULL if decade or place.group("fiscal") else BARE_YEAR
    return _ordinal(year, 1, 1), _ordinal(year + 9 * decade, 12, 31), unit


def _month(place: Place) -> int | None:
    if (number := place.whole("month_number")) is not None:
        return number
    name = (place.group("month") or place.group("verb") or "none").lower()[:3]
    return next((number for number, full in enumerate(_NAMES) if full.startswith(name)), None)


def _months(year: int, first: int, last: int, unit: str = FULL) -> Span:
    return _ordinal(year, first, 1), _ordinal(year, last, calendar.monthrange(year, last)[1]), unit


def _days(year: int | None, month: int, day: int | None, *, swapped: bool) -> Span:
    """Return the span of a date; in `10/12/2023`, the first number is the month if possible."""
    in_year, unit = (NO_YEAR, YEARLESS) if year is None else (year, FULL)
    if day is None:
        return _months(in_year, month, month, unit)
    if month > 12 or (swapped and day <= 12):
        day, month = month, day
        unit = EITHER if day <= 12 and day != month else unit
    only = _ordinal(in_year, month, day)
    return only, only, unit


def _ordinal(year: int, month: int, day: int) -> float:
    return float(date(year, month, day).toordinal())


def swapped(day: float) -> float:
    """Return the date with month and day exchanged."""
    read = date.fromordinal(int(day))
    return _ordinal(read.year, read.day, read.month)


def without_year(day: float) -> float:
    """Return a date with its year replaced by `NO_YEAR`."""
    read = date.fromordinal(int(day))
    return _ordinal(NO_YEAR, read.month, read.day)


def read_time(place: Place) -> Span | None:
    """Return the minute of a time of day, twice, and its unit; `None` if it does not exist."""
    if word := place.group("word"):
        minute = 0.0 if word.lower() == "midnight" else 720.0
        return minute, minute, CLOCK
    hour, written = place.whole("hour") or 0, place.group("hour")
    shown = place.group("minutes") or written.partition(".")[2]
    if not (shown or "0").isdecimal():
        return None
    minutes, half = int(shown or 0), place.group("half").lower()
    late = re.search("^p|afternoon|evening|night", half) is not None
    if hour > (12 if half else 24) or minutes > 59 or len(shown) not in {0, 2}:
        return None
    if past := place.group("past"):
        by = 30 if past.lower() == "half" else 15
        minutes += by if place.group("by").lower() == "past" else -by
    total = hour * 60 + minutes
    known = half or not 1 <= hour <= 12 or written.startswith("0")
    total = total % 720 + 720 * late if half else total % 1440
    return float(total), float(total), CLOCK if known else HALF_DAY
