"""Amounts in a text, each as a value, however it is written: `60 days`, `two months`, `$2.25`.

Digits are read in any language, number words and units in English.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from uaeval.synthesis.numerals import in_digits

_NUMBER = r"(?P<number>\d[\d,]*(?:\.\d+)?)(?:st|nd|rd|th)?"
_MONTHS = "january february march april may june july august september october november december"
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS.split()) + "|sept"
_NEVER = (math.nan, math.nan)
_SPANS = {
    "minute": ((1 / 60, 1 / 60), (1 / 60, 1 / 60)),
    "hour": ((1, 1), (1, 1)),
    "day": ((24, 24), (8, 8)),
    "week": ((168, 168), (40, 40)),
    "fortnight": ((336, 336), (80, 80)),
    "month": ((28 * 24, 31 * 24), _NEVER),
    "year": ((365 * 24, 366 * 24), _NEVER),
}
"""Hours by the calendar, and at work; a month of work is never meant by its hours."""
_SHORT = {"h": "hour", "hrs": "hour", "hr": "hour", "mins": "minute", "min": "minute"}
_RHYTHMS = {"daily": "day", "weekly": "week", "monthly": "month", "annually": "year"} | {
    "yearly": "year",
    "fortnightly": "fortnight",
}
_PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_DAY_PARTS = r"\s*(?P<half>[ap]\.?m\b\.?|(?:in|at) (?:the )?(?:morning|afternoon|evening|night))"


class Kind(StrEnum):
    """What an amount is an amount of."""

    SPAN = "span"
    MONEY = "money"
    PERCENT = "percent"
    CLOCK = "clock"
    DATE = "date"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Amount:
    """A value, as one or several ranges: a span by the calendar and at work; a date by parts."""

    kind: Kind
    ranges: tuple[tuple[float, float], ...]

    def stands_in(self, other: "Amount") -> bool:
        """Say whether `other` is the same amount; it may be a fuller date."""
        if self.kind is not other.kind:
            return False
        pairs = zip(self.ranges, other.ranges, strict=True)
        if self.kind is Kind.DATE:
            return all(mine == theirs or math.isnan(mine[0]) for mine, theirs in pairs)
        return any(mine[0] <= theirs[1] and theirs[0] <= mine[1] for mine, theirs in pairs)


@lru_cache(maxsize=65536)
def amounts(text: str) -> tuple[Amount, ...]:
    """Return every amount of a text, without the unit of a mere count."""
    return _read(text)[0]


def without_amounts(text: str) -> str:
    """Return what a text says beside its amounts."""
    return _read(text)[1]


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[tuple[Amount, ...], str]:
    """Read the most specific forms first; what is read is blotted out for the others."""
    left, found = in_digits(text), list[Amount]()
    for pattern, read in _FORMS:
        for match in pattern.finditer(left):
            found += read(match)
        left = pattern.sub(lambda match: " " * len(match[0]), left)
    return tuple(dict.fromkeys(found)), " ".join(left.split())


def _date(match: re.Match[str]) -> Iterator[Amount]:
    groups = match.groupdict()
    year, month, day = (groups.get(part) for part in ("year", "month", "day"))
    number = _MONTHS.split().index(_full(month)) + 1 if month else None
    yield _dated(year, number, day)


def _figures(match: re.Match[str]) -> Iterator[Amount]:
    """Read `10/12/2023` both ways."""
    first, second, year = match["first"], match["second"], match["year"]
    yield _dated(year, int(first), second)
    yield _dated(year, int(second), first)


def _dated(year: str | None, month: int | None, day: str | None) -> Amount:
    parts = [math.nan if part is None else float(part) for part in (year, month, day)]
    return Amount(Kind.DATE, tuple((part, part) for part in parts))


def _full(month: str) -> str:
    return next(name for name in _MONTHS.split() if name.startswith(month.lower()[:3]))


def _clock(match: re.Match[str]) -> Iterator[Amount]:
    """Read a time of day as minutes of a half day: `half past 3` may be either."""
    groups = match.groupdict()
    minutes = int(match["hour"]) * 60 + int(groups.get("minutes") or 0)
    minutes += {"half": 30, "quarter": 15}.get((groups.get("past") or "").lower(), 0)
    yield Amount(Kind.CLOCK, ((float(minutes % 720),) * 2,))


def _money(match: re.Match[str]) -> Iterator[Amount]:
    groups = match.groupdict()
    value = _value(match["number"]) + float(groups.get("cents") or 0) / 100
    yield _plain(Kind.MONEY, value)


def _percent(match: re.Match[str]) -> Iterator[Amount]:
    value = _value(match["number"])
    if part := match.groupdict().get("part"):
        value = 100 * value / _PARTS[part.lower().removesuffix("s")]
    yield _plain(Kind.PERCENT, value)


def _span(match: re.Match[str]) -> Iterator[Amount]:
    """Read a span; of `1 to 2 weeks` both ends."""
    groups = match.groupdict()
    unit = (groups.get("unit") or _RHYTHMS[match[0].lower()]).lower()
    unit = _SHORT.get(unit, unit.removesuffix("s"))
    for number in (groups.get("number") or "1", groups.get("to")):
        if number:
            value = _value(number)
            yield Amount(
                Kind.SPAN, tuple((low * value, high * value) for low, high in _SPANS[unit])
            )


def _count(match: re.Match[str]) -> Iterator[Amount]:
    yield _plain(Kind.NUMBER, _value(match["number"]))


def _plain(kind: Kind, value: float) -> Amount:
    return Amount(kind, ((value, value),))


def _value(number: str) -> float:
    return float(number.replace(",", ""))


_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_UNIT = rf"(?P<unit>{'|'.join(_SPANS)}|{'|'.join(_SHORT)})s?"
_AT_WORK = r"(?:(?:business|working|work|calendar|consecutive|full)[\s-]+)?"
_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Iterator[Amount]]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), read)
    for pattern, read in (
        (rf"\b(?P<first>\d\d?)[/.](?P<second>[01]?\d)[/.]{_YEAR}\b", _figures),
        (r"\b(?P<year>(?:19|20)\d\d)-(?P<first>[01]\d)-(?P<second>\d\d)\b", _figures),
        (rf"\b(?P<month>{_MONTH})\.? {_DAY}\b(?:,? {_YEAR}\b)?", _date),
        (rf"\b{_DAY} (?:of )?(?P<month>{_MONTH})\b(?:,? {_YEAR}\b)?", _date),
        (rf"\b(?P<month>{_MONTH}),? {_YEAR}\b", _date),
        (rf"\b(?P<past>half|quarter) past (?P<hour>\d\d?)\b(?:{_DAY_PARTS})?", _clock),
        (rf"\b(?P<hour>\d\d?)(?:[:.](?P<minutes>[0-5]\d))?{_DAY_PARTS}", _clock),
        (r"\b(?P<hour>[0-2]?\d):(?P<minutes>[0-5]\d)\b", _clock),
        (rf"[$£€]\s?{_NUMBER}", _money),
        (rf"\b{_NUMBER} (?:dollar|pound|euro)s?\b(?: and (?P<cents>\d\d?) cents?\b)?", _money),
        (rf"\b{_NUMBER}\s?(?:%|percent\b|per cent\b)", _percent),
        (rf"\b{_NUMBER}[\s-](?P<part>third|quarter|fifth|tenth)s?\b", _percent),
        (rf"\b{_NUMBER}(?:\s?(?:-|–|to|or)\s?(?P<to>\d+))?[\s-]?{_AT_WORK}{_UNIT}\b", _span),
        (rf"\b(?:{'|'.join(_RHYTHMS)})\b", _span),
        (rf"\b(?:an?|per|every|each|the 1st) {_AT_WORK}{_UNIT}\b", _span),
        (rf"(?<![\w#.,-]){_YEAR}\b(?![\w-])", _date),
        (rf"(?<![\w#.,-]){_NUMBER}\b", _count),
    )
)
