"""Whether a response gives an amount of the reference."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from uaeval.text.amounts import Amount, Kind, amounts, same

_TOLERANCE: Final = 0.01
"""Relative difference of two amounts that differ by rounding on the way."""
_READ: Final = 20_000
"""Characters of a text whose amounts are read."""
_NUMERIC: Final = frozenset({Kind.NUMBER, Kind.PERCENT, Kind.MONEY})


def figures(text: str) -> tuple[Amount, ...]:
    """Return the amounts of a text without dates; of a very long one of its start and its end."""
    if len(text) > 2 * _READ:
        text = f"{text[:_READ]}\n{text[-_READ:]}"
    return tuple(amount for amount in amounts(text) if amount.kind is not Kind.DATE)


def gives(wanted: Amount, given: Amount) -> bool:
    """Return whether an amount is the wanted one, be it rounded or in other units."""
    if given.low != given.high and " or " in given.text:
        ends = (replace(given, high=given.low), replace(given, low=given.high))
        return any(gives(wanted, end) for end in ends)
    alike = same(wanted, given, tolerance=_TOLERANCE, rounded=True, any_scale=True)
    return alike or _rounds_to(wanted, given)


def new_figures(text: str, known: str) -> list[Amount]:
    """Return the amounts of a text that another text does not give."""
    others = figures(known)
    return [amount for amount in figures(text) if not is_given(amount, others)]


def is_given(wanted: Amount, given: Iterable[Amount]) -> bool:
    """Return whether one of several amounts is the wanted one."""
    return any(gives(wanted, amount) for amount in given)


def _rounds_to(wanted: Amount, given: Amount) -> bool:
    """Return whether an amount becomes the wanted one, written with decimals, when rounded."""
    if not 0 < wanted.step < 1 or not {wanted.kind, given.kind} <= _NUMERIC:
        return False
    shares = (wanted.kind is Kind.NUMBER) and given.kind is Kind.PERCENT
    factor = 100 if shares else 1
    return abs(wanted.low * factor - given.low) <= 0.5001 * wanted.step * factor
