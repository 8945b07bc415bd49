"""Compare the amounts of a response with those of a reference."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from uaeval.text.amounts import Amount, Kind, amounts, same
from uaeval.text.sentences import without_citations

_RESTATED: Final = re.compile(r"\b[a-z]+(?:-[a-z]+)?\s\((\d+)\)(?=\s[a-z])", re.IGNORECASE)
"""A number in words and in digits, such as `six (6)` before its unit."""
_READ: Final = 8_000  # characters that are read at the start and the end of a text


def figures(text: str, *, dates: bool = False) -> tuple[Amount, ...]:
    """Return the amounts of a text, or its dates and times; of a very long one of both ends."""
    if len(text) > 2 * _READ:
        text = f"{text[:_READ]}\n{text[-_READ:]}"
    found = amounts(_RESTATED.sub(r"\1", without_citations(text)))
    wanted = {Kind.DATE, Kind.TIME} if dates else {*Kind} - {Kind.DATE}
    return tuple(amount for amount in found if amount.kind in wanted)


def _gives(wanted: Amount, given: Amount) -> bool:
    """Return whether an amount is the wanted one, perhaps rounded or in another unit."""
    if given.low != given.high and " or " in given.text:
        ends = (replace(given, high=given.low), replace(given, low=given.high))
        return any(_gives(wanted, end) for end in ends)
    if (wanted.kind is Kind.NUMBER) != (given.kind is Kind.NUMBER):
        wanted, given = _unitless(wanted), _unitless(given)
    return same(wanted, given, loosely=True)


def _unitless(amount: Amount) -> Amount:
    """Return a measure or a duration as the number in its text."""
    if amount.kind not in {Kind.DURATION, Kind.MEASURE}:
        return amount
    return next(iter(amounts(re.sub(r"[^\d.,)]+$", "", amount.text))), amount)


def new_figures(text: str, known: str) -> list[Amount]:
    """Return the amounts of a text that another text does not give."""
    others = figures(known)
    return [amount for amount in figures(text) if not is_given(amount, others)]


def is_given(wanted: Amount, given: Iterable[Amount]) -> bool:
    """Return whether one of several amounts is the wanted one."""
    return any(_gives(wanted, amount) for amount in given)
