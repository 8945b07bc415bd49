"""What an amount is, and when two amounts are the same."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from uaeval.text import dates


class Kind(StrEnum):
    """What an amount is an amount of."""

    NUMBER = "number"
    MONEY = "money"
    PERCENT = "percent"
    DURATION = "duration"
    TIME = "time"
    DATE = "date"
    MEASURE = "measure"


@dataclass(frozen=True, slots=True)
class Amount:
    """A value, or a range of values, and where it stands.

    Money is in units of its currency, a duration in hours or months, a time in minutes of the day,
    a date in days since the year 1 from its first to its last, a measure in its base unit.
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
    """By how much its unit and its scale word multiply its number."""
    scale: float = field(default=1.0, repr=False, compare=False)
    """By how much its scale word, such as `million` or `k`, multiplies its number."""


FRACTION: Final = "fraction"
"""Unit of a number such as `two thirds`."""
BUSINESS: Final = "business hour"
"""Unit of a duration in business days, one of which has 24."""
_EXACT: Final = 1e-9
_COARSEST: Final = 0.05
"""Rounding to a whole number changes a value at most by this share."""
_WEEK: Final = 7 / 5
_THOUSAND: Final = 1e3
_ORDERS: Final = (1e3, 1e6, 1e9, 1e12)


def same(
    a: Amount, b: Amount, *, tolerance: float = 0.0, rounded: bool = False, any_scale: bool = False
) -> bool:
    """Return whether two amounts are the same value.

    A date `b` may be more exact than `a`: March 2012 lies in 2012. A percentage may be a plain
    number, or a share of 1: 55.1%, 55.1 and 0.551 are the same.

    Args:
        a: the amount that is wanted.
        b: the amount that is given.
        tolerance: how far the values may be apart, as a share of the larger one.
        rounded: one may be the other one rounded to fewer digits; to a whole number by at most 5 %.
        any_scale: one may lack its currency, or a factor such as `million`: 1,577 is the same as
            $1.577 billion.
    """
    if a.kind is b.kind is Kind.DATE:
        return _same_date(a, b)
    if a.kind is b.kind is Kind.TIME:
        return (a.low - b.low) % (720 if dates.HALF_DAY in (a.unit, b.unit) else 1440) == 0
    rounded = rounded or FRACTION in (a.unit, b.unit)
    return any(
        _close(one, other, tolerance, rounded=rounded)
        for one, other in _comparable(_as_number(a), _as_number(b), any_scale=any_scale)
    )


def _as_number(amount: Amount) -> Amount:
    """Return a bare year as the number that it may be as well."""
    if amount.unit != dates.BARE_YEAR:
        return amount
    year = float(dates.year(amount.low))
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
    """Yield two amounts in units in which they can be compared."""
    kinds = {a.kind, b.kind}
    if kinds == {Kind.DURATION} and a.unit != b.unit:
        yield from _spans(a, b)
    elif a.kind is b.kind and (a.unit == b.unit or a.kind is Kind.NUMBER):
        yield a, b
    elif kinds == {Kind.NUMBER, Kind.PERCENT}:
        yield a, b
        yield (_times(a, 100), b) if a.kind is Kind.NUMBER else (a, _times(b, 100))
    if not any_scale or not kinds <= {Kind.NUMBER, Kind.MONEY}:
        return
    if len(kinds) == 1 and a.unit != b.unit:
        return
    yield a, b
    if min(a.scale, b.scale) < _THOUSAND:
        for order in _ORDERS:
            yield _times(a, order), b
            yield a, _times(b, order)


def _times(amount: Amount, by: float) -> Amount:
    return replace(amount, low=amount.low * by, high=amount.high * by, step=amount.step * by)


def _spans(a: Amount, b: Amount) -> Iterator[tuple[Amount, Amount]]:
    """Yield durations of which one is in months or in business days; a week has 5 of these."""
    if "month" not in (a.unit, b.unit):
        yield a, b
        yield (_times(a, _WEEK), b) if a.unit == BUSINESS else (a, _times(b, _WEEK))
        return
    months, other = (a, b) if a.unit == "month" else (b, a)
    shortest, longest = max(28.0, months.low * 30 - 2) * 24, months.high * 31 * 24
    if months.low >= 1 and shortest <= other.low and other.high <= longest:
        yield other, other


def _close(a: Amount, b: Amount, tolerance: float, *, rounded: bool) -> bool:
    return all(
        math.isclose(one, other, rel_tol=max(_EXACT, tolerance))
        or (rounded and abs(one - other) <= _rounding(a, b, max(abs(one), abs(other))))
        for one, other in ((a.low, b.low), (a.high, b.high))
    )


def _rounding(a: Amount, b: Amount, value: float) -> float:
    """Return by how much rounding to the last digit of the coarser amount may change a value."""
    coarser = max(a, b, key=lambda amount: amount.step)
    most = coarser.step / 2 * (1 + _EXACT)
    return most if "." in coarser.text else min(most, _COARSEST * value)
