"""Amounts, days and times in a text, and whether two of them can both be true."""

import re
from dataclasses import dataclass
from functools import lru_cache

from uaeval.llm.rules.english import grammar

SPELLED = {
    word: number
    for number, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen twenty""".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "once": 1, "twice": 2}
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTHS = """january february march april may june july august september october november
december""".split()
_RHYTHMS = "daily weekly biweekly monthly quarterly annually yearly annual".split()
_BEFORE_UNIT = frozenset(
    """business calendar working work consecutive billable full additional more extra total paid
    credit school further""".split()
)
_QUANTITY = re.compile(
    r"(?P<bound>\b(?:up to|at most|no more than|not more than|a maximum of|maximum of|at least|"
    r"a minimum of|minimum of|no fewer than|no less than|fewer than|less than|more than|over|"
    r"under|within|no later than)\s+)?(?P<money>[$£€])?"
    r"(?P<number>\d[\d,]*(?:\.\d+)?|\b(?:" + "|".join(SPELLED) + r")\b)"
    r"(?P<range>\s*(?:-|–|to|or)\s*\d[\d,]*)?"
    r"(?P<clock>(?::\d\d)?\s*[ap]\.?m\b\.?)?(?P<percent>\s*%)?"
    r"(?P<after>(?:[\s-]+[a-zA-Z]+){0,2})",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(" + "|".join([*_DAYS, *_MONTHS[:4], *_MONTHS[5:], *_RHYTHMS]) + r")\b", re.I
)
_UPPER = (
    "up to",
    "at most",
    "more than",
    "maximum",
    "fewer",
    "less than",
    "under",
    "within",
    "later",
)
_LOWER = ("at least", "minimum", "no fewer", "no less", "over")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value with its unit; `bound` is -1 for at most, 1 for at least, 0 for exactly."""

    value: float
    unit: str
    bound: int = 0
    text: str = ""

    def agrees(self, other: "Quantity") -> bool:
        """Say whether both values can be true of one thing; units are taken as equal."""
        if self.value == other.value:
            return True
        if other.bound < 0 and self.bound <= 0:
            return self.value <= other.value
        return other.bound > 0 and self.bound >= 0 and self.value >= other.value


@lru_cache(maxsize=8192)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Return every amount, clock time, day, month and rhythm of `text`, in order."""
    found: list[Quantity | None] = [_clock(match) for match in _CLOCK.finditer(text)]
    text = _CLOCK.sub(" ", text)
    found += [_measured(match) for match in _QUANTITY.finditer(text)]
    found += [_named(match[1].lower(), match[0]) for match in _NAMED.finditer(text)]
    return tuple(quantity for quantity in found if quantity is not None)


_CLOCK = re.compile(r"\b([01]?\d|2[0-4]):([0-5]\d)(?!\s*[ap]\.?m)\b")


def _clock(match: re.Match[str]) -> Quantity:
    return Quantity(value=int(match[1]) + int(match[2]) / 60, unit="clock", text=match[0])


def _named(word: str, text: str) -> Quantity:
    for unit, names in (("weekday", _DAYS), ("month", _MONTHS), ("rhythm", _RHYTHMS)):
        if word in names:
            return Quantity(value=float(names.index(word)), unit=f"named {unit}", text=text)
    raise ValueError(word)


def _measured(match: re.Match[str]) -> Quantity | None:
    number = match["number"].lower().rstrip(",")
    value = float(SPELLED[number]) if number in SPELLED else float(number.replace(",", ""))
    unit = _unit(match)
    if unit is None or (number == "one" and unit not in _COUNTED):
        return None
    return Quantity(value=value, unit=unit, bound=_bound(match["bound"]), text=match[0].strip())


_COUNTED = frozenset("hour day week month year minute person people time page mile".split())


def _unit(match: re.Match[str]) -> str | None:
    if match["money"]:
        return "money"
    if match["percent"]:
        return "percent"
    if match["clock"]:
        return "clock"
    after = [word.lower() for word in re.findall(r"[A-Za-z]+", match["after"])]
    while after and after[0] in _BEFORE_UNIT:
        after.pop(0)
    if after and after[0] in _MONTHS:
        return "day of the month"
    if not after or not grammar.is_noun(after[0]):
        year = re.fullmatch(r"(?:1[89]|20)\d\d", match["number"])
        return "calendar year" if year else "number"
    return "percent" if after[0] == "percent" else grammar.stem(after[0])


def _bound(text: str | None) -> int:
    lower = (text or "").lower()
    if any(word in lower for word in _LOWER):
        return 1
    if lower.startswith("more than"):
        return 1
    return -1 if any(word in lower for word in _UPPER) else 0


# --- changing a value ----------------------------------------------------------------------------

_FIXED = {"number", "calendar year", "day of the month", "clock", "named rhythm"}
_CHANGE = re.compile(
    r"(?P<bound>\b(?:up to|at least|at most|no more than|no fewer than|a maximum of|a minimum of|"
    r"exactly|only)\s)?(?P<number>[$£€]?\d[\d,]*(?:\.\d+)?|\b(?:" + "|".join(SPELLED) + r")\b)"
    r"(?P<after>\s*%|[\s-]+[a-z]+|(?=\W|$))",
    re.IGNORECASE,
)


def changed(text: str) -> tuple[str, str, str] | None:
    """Change the one amount or weekday of `text` beyond doubt.

    Returns:
        The old words, the new words and the whole text with the new ones; `None` if `text` has
        no single value that can be changed.
    """
    by_unit = {quantity.unit: quantity for quantity in quantities(text)}
    loose = re.search(r"(?i)\b(?:(?:over|under) [$\d]|(?:more|less|fewer) than\b)", text)
    if loose or len(by_unit) != len(quantities(text)):
        return None
    for unit, names, step in (("named weekday", _DAYS, 2), ("named month", _MONTHS, 3)):
        if unit in by_unit:
            return _other_name(text, by_unit[unit], names, step)
    if len(by_unit) == 1 and ":" in (clock := next(iter(by_unit.values()))).text:
        hour, minute = clock.text.split(":")
        new = f"{int(hour) + (3 if int(hour) < 19 else -3):02d}:{minute}"
        return clock.text, new, text.replace(clock.text, new, 1)
    counted = [item for item in by_unit.values() if item.unit not in _FIXED]
    return _other_amount(text, counted[0]) if len(counted) == 1 else None


def _other_name(
    text: str, name: Quantity, names: list[str], step: int
) -> tuple[str, str, str] | None:
    if re.search(rf"{name.text}s?\s*(?:-|–|to|through|and|or)\s", text):
        return None
    usual = 5 if len(names) == 7 and name.value < 5 else len(names)
    new = names[(int(name.value) + step) % usual].title()
    if len(names) == 12 and re.search(r"\b(?:29|30|31)\b", text):
        new = "December" if name.text != "December" else "January"
    return name.text, new, text.replace(name.text, new, 1)


def _other_amount(text: str, quantity: Quantity) -> tuple[str, str, str] | None:
    matches = [match for match in _CHANGE.finditer(text) if _value(match["number"])]
    matches = [match for match in matches if _value(match["number"]) == quantity.value]
    if len(matches) != 1 or "-" in matches[0]["after"]:
        return None
    match = matches[0]
    number = _written(_far(quantity), match["number"])
    lower = (match["bound"] or "").lower()
    bound = "only " if lower in {"at least ", "a minimum of ", "no fewer than "} else ""
    after = match["after"]
    if quantity.value == 1 and not after.endswith("s") and after.strip().isalpha():
        after = f"{after}s"
    if _far(quantity) == 1 and after.endswith("s"):
        after = after[:-1]
    new = f"{bound}{number}{after}"
    return match[0].strip(), new.strip(), text[: match.start()] + new + text[match.end() :]


def _value(number: str) -> float | None:
    lower = number.lower().strip("$£€")
    if lower in SPELLED:
        return float(SPELLED[lower])
    return float(lower.replace(",", "")) if lower[:1].isdigit() else None


def _far(quantity: Quantity) -> float:
    """Return a value that cannot be meant: far above, or far below a lower bound."""
    value = quantity.value
    if quantity.bound > 0:
        return max(1.0, value // 3) if value > 1 else 3.0
    if quantity.unit == "percent" and value >= 50:
        return value // 2
    return value * 3 if value < 20 else value * 2


def _written(value: float, like: str) -> str:
    plain = f"{int(value):,}" if value == int(value) else f"{value:.2f}"
    return f"{like[0]}{plain}" if like[0] in "$£€" else plain
