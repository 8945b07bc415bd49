"""Amounts, and the comparison of two amounts."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Final

from uaeval.text import dates


class Kind(StrEnum):
    """The kind of an amount."""

    NUMBER = "number"
    MONEY = "money"
    PERCENT = "percent"
    DURATION = "duration"
    TIME = "time"
    DATE = "date"
    MEASURE = "measure"


@dataclass(frozen=True, slots=True)
class Amount:
    """A value, or a range of values, with its position in the text.

    `low` and `high` are in units of the currency, hours or months, minutes of the day, days since
    the year 1 (the first and last day of a date), or the base unit of a measure.
    """

    kind: Kind
    low: float
    high: float
    unit: str
    text: str
    start: int
    end: int
    step: float = 0.0
    """One unit of the last significant digit; 0 if it is exact."""
    factor: float = field(default=1.0, repr=False, compare=False)
    """The factor of its unit and its scale word, which the value includes."""
    scale: float = field(default=1.0, repr=False, compare=False)
    """The factor of its scale word, such as `million` or `k`."""


FRACTION: Final = "fraction"
"""Unit of a number such as `two thirds`."""
BUSINESS: Final = "business hour"
"""Unit of a duration in business days of 24 such hours."""
_EXACT: Final = 1e-9
_TOLERANCE: Final = 0.01
"""Largest difference of values that are loosely the same, as a share of the larger one."""
_COARSEST: Final = 0.05
"""Largest relative change of a value by rounding to a whole number."""
_WEEK: Final = 7 / 5
_ORDERS: Final = (1e3, 1e6, 1e9, 1e12)


def same(a: Amount, b: Amount, *, loosely: bool = False) -> bool:
    """Return whether two amounts are the same value.

    A date `b` may be more precise than `a`: March 2012 is in 2012. A percentage may be a plain
    number or a share of 1: 55.1%, 55.1 and 0.551 are the same. Loosely, one may be rounded to fewer
    digits (to a whole number by at most 5 %), and may lack its currency, or a factor such as
    `million`: 1,577 is the same as $1.577 billion.
    """
    if a.kind is b.kind is Kind.DATE:
        return _same_date(a, b)
    if a.kind is b.kind is Kind.TIME:
        return (a.low - b.low) % (720 if dates.HALF_DAY in (a.unit, b.unit) else 1440) == 0
    pairs = _comparable(_as_number(a), _as_number(b), any_scale=loosely)
    return any(_close(one, other, loosely=loosely) for one, other in pairs)


def _as_number(amount: Amount) -> Amount:
    """Return a year without month and day as a number; other amounts unchanged."""
    if amount.unit != dates.BARE_YEAR:
        return amount
    year = float(date.fromordinal(int(amount.low)).year)
    return replace(amount, kind=Kind.NUMBER, low=year, high=year, unit="", step=1.0)


def _same_date(a: Amount, b: Amount) -> bool:
    yearless = a.unit == dates.YEARLESS
    if b.unit == dates.YEARLESS and not yearless:
        return False
    ours, theirs = _readings(a, yearless=yearless), _readings(b, yearless=yearless)
    return any(first <= low <= high <= last for first, last in ours for low, high in theirs)


def _readings(amount: Amount, *, yearless: bool) -> list[tuple[float, float]]:
    spans = [(amount.low, amount.high)]
    if amount.unit == dates.EITHER:
        spans.append((dates.swapped(amount.low), dates.swapped(amount.high)))
    if yearless:
        return [(dates.without_year(low), dates.without_year(high)) for low, high in spans]
    return spans


def _comparable(a: Amount, b: Amount, *, any_scale: bool) -> Iterator[tuple[Amount, Amount]]:
    """Yield the two amounts converted to common units, once for each possible conversion."""
    kinds = {a.kind, b.kind}
    if kinds == {Kind.DURATION} and a.unit != b.unit:
        yield from _spans(a, b)
    elif a.kind is b.kind and (a.unit == b.unit or a.kind is Kind.NUMBER):
        yield a, b
    elif kinds == {Kind.NUMBER, Kind.PERCENT}:
        yield a, b
        yield (_times(a, 100), b) if a.kind is Kind.NUMBER else (a, _times(b, 100))
    other_currency = len(kinds) == 1 and a.unit != b.unit
    if not any_scale or other_currency or not kinds <= {Kind.NUMBER, Kind.MONEY}:
        return
    yield a, b
    if min(a.scale, b.scale) < _ORDERS[0]:
        for order in _ORDERS:
            yield _times(a, order), b
            yield a, _times(b, order)


def _times(amount: Amount, by: float) -> Amount:
    return replace(amount, low=amount.low * by, high=amount.high * by, step=amount.step * by)


def _spans(a: Amount, b: Amount) -> Iterator[tuple[Amount, Amount]]:
    """Yield comparable durations, if one is in months or in business days (5 per week)."""
    if "month" not in (a.unit, b.unit):
        yield a, b
        yield (_times(a, _WEEK), b) if a.unit == BUSINESS else (a, _times(b, _WEEK))
        return
    months, other = (a, b) if a.unit == "month" else (b, a)
    shortest, longest = max(28.0, months.low * 30 - 2) * 24, months.high * 31 * 24
    if months.low >= 1 and shortest <= other.low and other.high <= longest:
        yield other, other


def _close(a: Amount, b: Amount, *, loosely: bool) -> bool:
    rounded = loosely or FRACTION in (a.unit, b.unit)
    return all(
        math.isclose(one, other, rel_tol=_TOLERANCE if loosely else _EXACT)
        or (rounded and abs(one - other) <= _rounding(a, b, max(abs(one), abs(other))))
        for one, other in ((a.low, b.low), (a.high, b.high))
    )


def _rounding(a: Amount, b: Amount, value: float) -> float:
    """Return the largest change of a value by rounding to the last digit of the coarser amount."""
    coarser = max(a, b, key=lambda amount: amount.step)
    limit = coarser.step / 2 * (1 + _EXACT)
    return limit if "." in coarser.text else min(limit, _COARSEST * value)
