"""Units that an amount can have: currencies, percent, spans of time, physical units, data."""

import re
from collections.abc import Mapping
from typing import Final

from uaeval.text.wordlists import table

Units = Mapping[str, tuple[str, float]]
"""Unit and factor by the way it is written."""

_LONGEST_SIGN: Final = 3


def _units(kind: str) -> Units:
    return {
        name: (unit, float(factor))
        for unit, multiples in table("units")[kind].items()
        for factor, names in multiples.items()
        for name in names
    }


CURRENCIES: Final = _units("currencies")
MONEY_NAMES: Final = _units("money_names")
PERCENTS: Final = _units("percents")
SPANS: Final = _units("spans")
RHYTHMS: Final = _units("rhythms")
MEASURES: Final = _units("measures")


def pattern(units: Units) -> str:
    """Return a pattern of the names of units: signs as they are written, words in any case."""
    ordered = sorted(units, key=len, reverse=True)
    names = [rf"(?i:{re.escape(n)})" if len(n) > _LONGEST_SIGN else re.escape(n) for n in ordered]
    return f"(?-i:{'|'.join(names)})"


def unit(written: str, units: Units) -> tuple[str, float]:
    """Return unit and factor of a name as it is written, in any case."""
    if written in units:
        return units[written]
    return next(pair for name, pair in units.items() if name.lower() == written.lower())
