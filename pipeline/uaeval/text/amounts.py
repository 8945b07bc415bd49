"""Find the amounts of an English text as values: `25 days` and `twenty-five days` are the same.

This is our own code on top of `text2num`, because no tested library reads all amounts: quantulum3
takes 25 MB and 2 s, reads 90 minutes as an angle, and supports no dates, times or ranges;
price-parser reads only one price; dateparser reads `1577` and `may` as dates, but no fiscal years
or quarters; pint converts units, but does not find them in a text.

Ambiguous notations: `m` directly after a number is a million, after a space a metre; `pound` is
money; `mm` is a million after money, else a millimetre; `(1,234)` is negative if it is alone in its
cell or line.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from uaeval.text.forms import FORMS, Place, Read
from uaeval.text.numbers import before, marked, vocabulary
from uaeval.text.quantity import Amount, Kind, same

__all__ = ["Amount", "Kind", "amounts", "same", "without_amounts"]

_TAKEN: Final = "\ue00f"
_AND: Final = re.compile(r",?\s?(?:and\s)?")
_TO: Final = frozenset({"-", "–", "—", "to", "through"})
_BETWEEN: Final = re.compile(r"\bbetween\s\S*$", re.IGNORECASE)
_FROM: Final = re.compile(r"\bfrom\s$", re.IGNORECASE)
_RANGED: Final = frozenset({Kind.NUMBER, Kind.MONEY, Kind.PERCENT, Kind.DURATION, Kind.MEASURE})


@lru_cache(maxsize=16384)
def amounts(text: str) -> tuple[Amount, ...]:
    """Return the amounts of a text, in order; a plain number does not include the noun after it.

    A range is one amount, but the two ends of a range of dates or times are separate amounts.
    """
    left, numbers = marked(text)
    present = vocabulary(left)
    found: list[Amount] = []
    for needed, pattern, read in FORMS:
        if present.isdisjoint(needed):
            continue

        def take(match: re.Match[str], read: Read = read) -> str:
            amount = read(Place(match, numbers, text))
            if amount is None:
                return match[0]
            found.append(amount)
            return _TAKEN * len(match[0])

        left = pattern.sub(take, left)
    found.sort(key=lambda amount: amount.start)
    return tuple(_ranges(_sums(found, text), text))


def without_amounts(text: str) -> str:
    """Return a text without its amounts."""
    left, end = "", 0
    for amount in amounts(text):
        left, end = f"{left}{text[end : amount.start]} ", amount.end
    return " ".join(f"{left}{text[end:]}".split())


def _sums(amounts: list[Amount], text: str) -> list[Amount]:
    """Add up `1 hour 30 minutes`, `two dollars and five cents`, `5 feet 6 inches`."""
    joined: list[Amount] = []
    for amount in amounts:
        last = joined[-1] if joined else None
        if (
            last
            and (last.kind, last.unit) == (amount.kind, amount.unit)
            and amount.factor < last.factor
            and _AND.fullmatch(text, last.end, amount.start)
        ):
            total = last.low + amount.low
            joined[-1] = _spanning(last, amount, total, total, text)
        else:
            joined.append(amount)
    return joined


def _ranges(amounts: list[Amount], text: str) -> Iterator[Amount]:
    """Join ranges such as `1 to 2 weeks`; an end may take unit and scale from the other end."""
    previous: Amount | None = None
    for amount in amounts:
        if previous and _joins(previous, amount, text):
            first, second = _alike(previous, amount)
            ordered = first.low < second.low and first.unit == second.unit
            if ordered and not _FROM.search(before(text, previous.start)):
                previous = _spanning(first, second, first.low, second.low, text)
                continue
            previous, amount = first, second
        if previous:
            yield previous
        previous = amount
    if previous:
        yield previous


def _joins(first: Amount, second: Amount, text: str) -> bool:
    """Return whether two amounts are the ends of a range: `3 or 4 weeks`, but not `0.5 or 50%`."""
    if not {first.kind, second.kind} <= _RANGED:
        return False
    match text[first.end : second.start].strip().lower():
        case "and":
            return _BETWEEN.search(before(text, first.start)) is not None
        case "or":
            return first.kind is Kind.NUMBER and first.low + 1 == second.low / second.factor
        case between:
            return between in _TO


def _alike(first: Amount, second: Amount) -> tuple[Amount, Amount]:
    """Return the ends of a range; an end without unit or scale takes that of the other."""
    if first.kind is Kind.NUMBER:
        first = _like(first, second, second.factor)
    elif second.kind is Kind.NUMBER and first.kind is Kind.MONEY:
        second = _like(second, first, first.factor)
    if first.scale == 1 and first.low <= second.low / second.scale:
        first = _like(first, second, second.scale)
    return first, second


def _like(bare: Amount, whole: Amount, by: float) -> Amount:
    low, step = bare.low * by, bare.step * by
    return replace(
        bare, kind=whole.kind, unit=whole.unit, low=low, high=low, step=step, factor=whole.factor
    )


def _spanning(first: Amount, last: Amount, low: float, high: float, text: str) -> Amount:
    start, end = first.start, last.end
    return replace(last, low=low, high=high, start=start, end=end, text=text[start:end])
