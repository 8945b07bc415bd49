"""Find the amounts of an English text as values: `25 days` and `twenty-five days` are the same.

Ambiguous notations: `m` directly after a number is a million, after a space a metre; `pound` is
money; `mm` is a million after money, else a millimetre; `(1,234)` is negative if it is alone in its
cell or line.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final

from uaeval.resources import shipped_table
from uaeval.text import dates
from uaeval.text.numbers import DAY, NUMBER, YEAR, Number, Place, before, folded, marked
from uaeval.text.quantity import BUSINESS, FRACTION, Amount, Kind, same
from uaeval.text.words import ENGLISH_STOP_WORDS

__all__ = ["Amount", "Kind", "amounts", "same", "without_amounts"]

_SCALES: Final = {"k": 1e3, "m": 1e6, "mm": 1e6, "b": 1e9}
_WORKDAYS: Final = 5 / 7
_NEXT: Final = re.compile(r"[\s-]([^\W\d_]+)")
_PRONOUN: Final = re.compile(
    r"\b(?:no|any|every|each|some|this|that|the|which|another|other)[\s-]$", re.IGNORECASE
)
Units = Mapping[str, tuple[str, float]]
"""Unit and factor by the name of a unit."""
_LONGEST_SIGN: Final = 3


def _units(kind: str) -> Units:
    return {
        name: (unit, float(factor))
        for unit, multiples in shipped_table("text/units.yaml")[kind].items()
        for factor, names in multiples.items()
        for name in names
    }


_CURRENCIES, _MONEY_NAMES, _PERCENTS, _SPANS, _RHYTHMS, _MEASURES = map(
    _units, ("currencies", "money_names", "percents", "spans", "rhythms", "measures")
)


def _names(units: Units) -> str:
    """Return a pattern of the names of units; only short names depend on case."""
    ordered = sorted(units, key=len, reverse=True)
    names = [rf"(?i:{re.escape(n)})" if len(n) > _LONGEST_SIGN else re.escape(n) for n in ordered]
    return f"(?-i:{'|'.join(names)})"


def _unit(written: str, units: Units) -> tuple[str, float]:
    """Return unit and factor of a name; the case matters only if there is an exact match."""
    if written in units:
        return units[written]
    return next(pair for name, pair in units.items() if name.lower() == folded(written))


def _amount(place: Place, kind: Kind, unit: str, factor: float = 1.0) -> Amount:
    """Return the amount: its number, by default 1, times the factors of unit and scale."""
    once = 0.5 if place.group("half") else 1.5 if place.group("more") else 1.0
    number = place.number() or Number(once, 0.0, 0, 0)
    by = place.number("by")
    extra = by.value if by else _SCALES.get(place.group("scale").lower(), 1.0)
    sign = -1.0 if any(map(place.group, ("minus", "inner", "bracket"))) else 1.0
    value, scale = sign * number.value * factor * extra, number.scale * extra
    end = place.match.end()
    start = end - len(place.text[place.match.start() : end].lstrip())
    return Amount(
        kind=kind,
        low=value,
        high=value,
        unit=unit,
        text=place.text[start:end],
        start=start,
        end=end,
        step=number.step * factor * extra,
        factor=factor,
        scale=scale,
    )


Read = Callable[[Place], Amount | None]


def _in_units(kind: Kind, table: Units, place: Place) -> Amount:
    unit, factor = _unit(place.group("unit"), table)
    if place.group("work") and unit == "hour":
        week = place.group("unit")[0].lower() == "w"
        return _amount(place, kind, BUSINESS, factor * (_WORKDAYS if week else 1.0))
    return _amount(place, kind, unit, factor)


def _point(kind: Kind, read: Callable[[Place], dates.Span | None], place: Place) -> Amount | None:
    span, (start, end) = read(place), place.match.span()
    return Amount(kind, *span, place.text[start:end], start, end) if span else None


def _accounting(place: Place) -> Amount | None:
    """Read `(1,234)` as negative, but not a year or the number of a note in brackets."""
    if sign := place.group("unit"):
        return _amount(place, Kind.MONEY, *_unit(sign, _CURRENCIES))
    if "%" in place.group("bracket"):
        return _amount(place, Kind.PERCENT, "")
    return _amount(place, Kind.NUMBER, "") if re.search(r"[.,]", place.group("n")) else None


def _number(place: Place) -> Amount | None:
    number = place.number()
    if number is None or (place.group("n").lower() == "one" and not _counts(place.text, number)):
        return None
    return _amount(place, Kind.NUMBER, FRACTION if number.fraction else "")


def _counts(text: str, one: Number) -> bool:
    """Return whether `one` is a number, not a pronoun: it is alone or before a noun."""
    if after := _NEXT.match(text, one.end):
        pronoun = _PRONOUN.search(before(text, one.start))
        return not pronoun and after[1].lower() not in ENGLISH_STOP_WORDS
    return text.strip(" \n.").lower() == "one"


_N: Final = f"(?P<n>{NUMBER})"
_MINUS: Final = r"(?:(?P<minus>(?<![\w)\ue000-\ue00f])[-−–]|\b(?:minus|negative)\s))?"
_START: Final = rf"(?<![\w#.$])(?<![\w.]-){_MINUS}{_N}"
_JOIN: Final = r"(?:\s-\s|[\s-])?"
"""Separator of number and unit; some tokenized texts have spaces around hyphens."""
_CURRENCY: Final = rf"(?<![A-Za-z])(?P<unit>{_names(_CURRENCIES)})"
_MILLION: Final = r"(?:\s?(?P<scale>mm|[kmb])\b)?"
_BY: Final = rf"(?:\s(?P<by>{NUMBER}))?"
_AT_WORK: Final = r"(?:(?P<work>business|working|work)[\s-]|(?:calendar|consecutive|full)[\s-])?"
_ONCE: Final = r"\b(?:(?P<half>half\san?)|an?|per|every|each)"
_S: Final = r"s?(?!\w)"


def _needed(pattern: str) -> str:
    """Return the first kind of number in a pattern, which every match has; empty if none."""
    places = {pattern.find(sign): sign for sign in (NUMBER, YEAR, DAY) if sign in pattern}
    return places[min(places)] if places else ""


def _form(kind: Kind, units: Units, before: str, after: str) -> tuple[str, Read]:
    """Return the pattern and the reader of an amount with a unit."""
    return rf"{before}(?P<unit>{_names(units)}){after}", partial(_in_units, kind, units)


_read_date = partial(_point, Kind.DATE, dates.read_date)
_read_time = partial(_point, Kind.TIME, dates.read_time)
_FORMS: Final[tuple[tuple[str, Read], ...]] = (
    (
        rf"(?:^|(?<=[|\t\n:=])) {{0,9}}\(\s?(?:{_CURRENCY})?\s?{_N}(?P<bracket>%?\)%?)"
        rf"{_BY}(?= {{0,9}}(?:[|\t\n]|$))",
        _accounting,
    ),
    (rf"{_CURRENCY}\s?\({_N}(?P<bracket>\)){_BY}", partial(_in_units, Kind.MONEY, _CURRENCIES)),
    *((pattern, _read_date) for pattern in dates.DATES),
    *((pattern, _read_time) for pattern in dates.TIMES),
    _form(
        Kind.MONEY,
        _CURRENCIES,
        rf"{_MINUS}(?<![A-Za-z])",
        rf"\s?(?P<inner>[-−])?{_N}{_MILLION}(?:\s?(?:US\s)?(?:{_names(_MONEY_NAMES)}){_S})?",
    ),
    _form(Kind.MONEY, _MONEY_NAMES, rf"{_START}{_MILLION}\s?(?:US\s)?", _S),
    _form(Kind.PERCENT, _PERCENTS, f"{_START}{_JOIN}", r"(?!\w)"),
    _form(Kind.DURATION, _SPANS, f"{_START}{_JOIN}{_AT_WORK}", _S),
    _form(Kind.DURATION, _SPANS, rf"{_ONCE}\s{_AT_WORK}", rf"{_S}(?P<more>\sand\sa\shalf\b)?"),
    _form(Kind.DURATION, _RHYTHMS, r"\b", r"\b"),
    _form(Kind.MEASURE, _MEASURES, f"{_START}{_JOIN}", _S),
    (dates.YEAR_ALONE, _read_date),
    (rf"{_START}(?!\w|[-.]\d)", _number),
)
"""Patterns of amounts with their readers, in the order in which they are tried."""
FORMS: Final = [(re.compile(form, re.IGNORECASE), read, _needed(form)) for form, read in _FORMS]


# --- amounts and ranges of amounts --------------------------------------------------------------

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
    found: list[Amount] = []
    present = {sign for sign in (NUMBER, YEAR, DAY) if numbers and re.search(sign, left)} | {""}
    for pattern, read, needed in FORMS:
        if needed not in present:
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
