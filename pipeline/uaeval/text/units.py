"""Units that an amount can have: currencies, percent, spans of time, physical units, data."""

import re
from collections.abc import Mapping
from typing import Final

Units = Mapping[str, tuple[str, float]]
"""Unit and factor by the way it is written."""

_LONGEST_SIGN: Final = 3
_CODES: Final = """USD EUR GBP JPY CNY INR CHF CAD AUD NZD SGD HKD SEK NOK DKK PLN CZK HUF BRL MXN
ZAR KRW TRY RUB ILS AED SAR THB IDR MYR PHP VND""".split()
_PREFIXES: Final = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "m": 1e-3, "µ": 1e-6, "c": 1e-2}
_PREFIXED: Final = {"m": "kmcµ", "g": "kmµ", "l": "mc", "W": "kMGm", "Wh": "kMGT", "Hz": "kMG"} | {
    "V": "km",
    "bps": "kMG",
    "B": "kMGT",
}


def _table(rows: str) -> dict[str, tuple[str, float]]:
    """Read rows of a unit and the names of its multiples; `_` is a space."""
    found: dict[str, tuple[str, float]] = {}
    for row in rows.strip().splitlines():
        unit, *entries = row.split()
        for entry in entries:
            names, _, factor = entry.partition("=")
            for name in names.split("|"):
                found[name.replace("_", " ")] = (unit, float(factor or 1))
    return found


CURRENCIES: Final[Units] = {code: (code, 1.0) for code in _CODES} | _table("""
USD $ US$
EUR €
GBP £
JPY ¥
INR ₹ Rs|Rs.
KRW ₩
AUD A$|AU$
CAD C$|CA$
NZD NZ$
HKD HK$
SGD S$
BRL R$
""")
MONEY_NAMES: Final[Units] = {code: (code, 1.0) for code in _CODES} | _table("""
USD dollar cent=0.01
EUR € euro
GBP £ pound penny|pence=0.01
JPY yen
CNY yuan
INR rupee
CHF franc
MXN peso
""")
PERCENTS: Final[Units] = _table("""
% %|percent|per_cent|pct|percentage_point|percentage_points basis_point|basis_points=0.01
""")
SPANS: Final[Units] = _table("""
hour hour|hr|h minute|min=0.016666666666666666 second|sec|s=0.0002777777777777778
hour millisecond|ms=2.777777777777778e-7 day=24 week|wk=168 fortnight=336
month month|mo year|yr=12 decade=120
""")
RHYTHMS: Final[Units] = _table("""
hour hourly daily=24 weekly=168 fortnightly=336
month monthly annually|yearly=12
""")
MEASURES: Final[Units] = {
    prefix + unit: (unit, _PREFIXES[prefix] if prefix else 1.0)
    for unit, prefixes in _PREFIXED.items()
    for prefix in ("", *prefixes)
} | _table("""
m metre|meter kilometre|kilometer=1e3 centimetre|centimeter=1e-2 millimetre|millimeter=1e-3
m mile|mi=1609.344 yard|yd=0.9144 foot|feet|ft=0.3048 inch|inches=0.0254
g gram kilogram|kilo=1e3 milligram=1e-3 tonne=1e6 ton=907184.74 lb=453.59237 ounce|oz=28.349523
l litre|liter millilitre|milliliter|mL=1e-3 gallon=3.785411784
B byte KB|kilobyte=1e3 megabyte=1e6 gigabyte=1e9 terabyte=1e12 KiB=1024 MiB=1048576 GiB=1073741824
m² m²|m2|square_metre|square_meter km²|km2|square_kilometre|square_kilometer=1e6 hectare=1e4
m² acre=4046.8564 sq_ft|sq._ft|square_foot|square_feet=0.09290304 square_mile=2589988.11
km/h km/h|kph|kmh mph=1.609344
W watt kilowatt=1e3 megawatt=1e6
Wh kilowatt-hour|kilowatt_hour=1e3
°C °C|degree_Celsius|degrees_Celsius|degrees_C
°F °F|degree_Fahrenheit|degrees_Fahrenheit|degrees_F
° °|degree
""")


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
