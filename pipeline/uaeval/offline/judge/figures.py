"""The figures of a text, and whether two stand for the same value."""

import re
from dataclasses import dataclass

_FIGURE = re.compile(
    r"(?<![\w.])(?P<sign>\(\s*|[-–−]\s?)?(?P<currency>[$€£¥]\s?)?(?P<inner>[-–−(]\s?)?"
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?P<close>\s?\))?\s?"
    r"(?P<unit>%|percent(?:age points?)?\b|basis points\b|thousand\b|million\b|billion\b|"
    r"trillion\b|bn\b|mm\b|m\b|k\b)?",
    re.IGNORECASE,
)
_SCALES = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "mm": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9,
    "trillion": 1e12,
}  # fmt: skip
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its scale applied; `step` is one unit of its last written digit."""

    value: float
    percent: bool
    scale: float
    step: float


def figures(text: str) -> tuple[Figure, ...]:
    """Return the figures of a text in order, without years."""
    return tuple(
        _figure(match)
        for match in _FIGURE.finditer(text)
        if match["unit"] or match["currency"] or not _YEAR.fullmatch(match["number"])
    )


def _figure(match: re.Match[str]) -> Figure:
    unit = (match["unit"] or "").lower()
    scale = 0.01 if unit.startswith("basis") else _SCALES.get(unit, 1.0)
    digits = len(match["number"].partition(".")[2])
    sign = (match["sign"] or match["inner"] or "").strip()
    negative = bool(sign) and (sign != "(" or bool(match["close"]))
    value = float(match["number"].replace(",", "")) * scale * (-1 if negative else 1)
    percent = unit == "%" or unit.startswith(("percent", "basis"))
    return Figure(value, percent, scale, 10.0**-digits * scale)
