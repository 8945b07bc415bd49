"""Find the numbers of an English text, in digits or in words, with their positions.

`text2num` (MIT, no dependencies, one small compiled module) finds cardinals and ordinals in words.
This module adds digits, `1.5 million`, `a dozen`, `half a million`, `two and a half`, `two thirds`
and `nineteen ninety-five`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final

from text_to_num import find_numbers

from uaeval.resources import shipped_table

_WHOLE: Final = r"(?<![\ue000-\ue002]){}+(?![\ue000-\ue002])"
NUMBER, YEAR, DAY = map(_WHOLE.format, ("[\ue000-\ue002]", "\ue001", "\ue002"))
"""Patterns of a number in a marked text: any, a year of four digits, a whole number up to 31."""
_ANY_SIGN, _YEAR_SIGN, _DAY_SIGN = "\ue000\ue001\ue002"

_GLYPHS: Final = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
_SIMPLE: Final = r"(?<![\d/.,])(?:1/[2-9]|2/[35]|3/[458]|[57]/8|4/5|5/6)(?![\d/])"
_SCALES: Final[Mapping[str, float]] = {
    name: float(size)
    for size, names in shipped_table("text/units.yaml")["scales"].items()
    for name in names
}
_SCALE: Final = "|".join(name for name in _SCALES if len(name) > 1)
_DIGIT: Final = re.compile(rf"[\d{''.join(_GLYPHS)}]")
_DIGITS: Final = re.compile(
    r"\d+(?:\.\d+){2,}|\d{31,}|"
    rf"(?P<simple>{_SIMPLE})|(?P<bare>[{''.join(_GLYPHS)}])|"
    r"(?P<number>\d{1,3}(?:,\d{2,3}){0,8},\d{3}(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|(?<![\w.)])\.\d+)"
    rf"(?:\s(?P<part>{_SIMPLE})|\s?(?P<glyph>[{''.join(_GLYPHS)}])|(?P<ordinal>st|nd|rd|th)\b|"
    rf"(?P<scale>[kmb]|[\s-]?(?:{_SCALE})s?)\b)?",
    re.IGNORECASE,
)
_SIGNS: Final = re.compile("[\ue000-\ue00f]")
_WORDS: Final = 32
_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_PARTS_OF: Final = {
    f"{name}th": _SCALES[name] for name in ("hundred", "thousand", "million", "billion")
}
_BEFORE_ORDINAL: Final = re.compile(
    r"(?:^|ty-|[.:;,]\s|\b(?:the|this|that|its|their|our|your|his|her|my|in|and|on|or|of)\s)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number; `step` is one unit of its last significant digit."""

    value: float
    step: float
    start: int
    end: int
    scale: float = 1.0
    """The factor of a scale word or sign, which `value` includes: 1e6 for `million` or `m`."""
    ordinal: bool = False
    fraction: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A match in a marked text."""

    match: re.Match[str]
    numbers: Mapping[int, Number]
    text: str

    def group(self, name: str) -> str:
        """Return the original text of a group; empty if it did not match."""
        start, end = self.match.span(name) if name in self.match.re.groupindex else (0, 0)
        return self.text[start:end] if start >= 0 else ""

    def number(self, name: str = "n") -> Number | None:
        """Return the number at a group."""
        return self.numbers.get(self.match.start(name)) if self.group(name) else None

    def whole(self, name: str) -> int | None:
        """Return the number at a group, in signs or in digits, as a whole number."""
        number, written = self.number(name), self.group(name)
        return int(number.value if number else written) if written else None

    def read(self, value: float, step: float = 0.0, **more: Any) -> Number:
        """Return the number that the whole match is read as."""
        return Number(value, step, *self.match.span(), **more)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word with the interface that `find_numbers` requires."""

    match: re.Match[str]

    def text(self) -> str:
        return self.match[0]

    def nt_separated(self, previous: object) -> bool:
        return False

    def not_a_number_part(self) -> bool:
        """Return whether the word is a single letter, or the unit in `one second`."""
        if self.text().lower() == "second":
            return not _BEFORE_ORDINAL.search(before(self.match.string, self.match.start()))
        return len(self.text()) == 1


def folded(text: str) -> str:
    """Return a text in lower case; letters that `re.IGNORECASE` treats as equal become equal."""
    return text.replace("ſ", "s").replace("ı", "i").replace("İ", "i").lower()


def before(text: str, place: int) -> str:
    """Return the few characters before a position, enough for one or two words."""
    return text[max(0, place - _WORDS) : place]


def marked(text: str) -> tuple[str, dict[int, Number]]:
    """Return a text with each number replaced by signs, and the numbers by their start.

    The length of the text does not change. Numbers inside other words (`Q3`) are found too.
    """
    text = _SIGNS.sub(" ", text)
    numbers: dict[int, Number] = {}

    def in_digits(match: re.Match[str]) -> str:
        if number := _in_digits(match):
            numbers[number.start] = number
        return "#" * len(match[0])

    words = _DIGITS.sub(in_digits, text) if _DIGIT.search(text) else text
    numbers |= {number.start: number for number in _in_words(words)}
    characters = list(text)
    for number in numbers.values():
        characters[number.start : number.end] = _signs(number, text)
    result = "".join(characters)
    for pattern, read in _IDIOMS:
        if numbers or NUMBER not in pattern.pattern:
            result = pattern.sub(partial(_combined, read, numbers, text), result)
    return result, numbers


def _combined(
    read: Callable[[Place], Number | None],
    numbers: dict[int, Number],
    text: str,
    match: re.Match[str],
) -> str:
    place = Place(match, numbers, text)
    whole = read(place)
    if whole is None:
        return match[0]
    for part in filter(None, map(place.number, ("n", "by"))):
        del numbers[part.start]
    numbers[whole.start] = whole
    return _signs(whole, text)


def _signs(number: Number, text: str) -> str:
    written, sign = text[number.start : number.end], _ANY_SIGN
    if number.value.is_integer() and number.scale == 1 and not number.fraction:
        if 1000 <= number.value < 3000 and (len(written) == 4 or not written[0].isdigit()):
            sign = _YEAR_SIGN
        elif 1 <= number.value <= 31 and "." not in written:
            sign = _DAY_SIGN
    return sign * len(written)


def _in_digits(match: re.Match[str]) -> Number | None:
    parts = match.groupdict(default="")
    whole = parts["number"].replace(",", "")
    fraction = parts["simple"] or parts["part"] or parts["bare"] or parts["glyph"]
    if not whole and not fraction:
        return None
    scale = _SCALES.get(parts["scale"].strip(" -\t\n").lower().rstrip("s"), 1.0)
    return Number(
        (float(whole or 0) + _part(fraction)) * scale,
        0.0 if fraction else _step(whole) * scale,
        *match.span(),
        scale=scale,
        ordinal=bool(parts["ordinal"]),
        fraction=not whole,
    )


def _part(fraction: str) -> float:
    top, _, bottom = fraction.partition("/")
    return int(top) / int(bottom) if bottom else _GLYPHS.get(fraction, 0.0)


def _in_words(text: str) -> Iterator[Number]:
    if not any(map(_has_number, text.split())):
        return
    tokens = [_Word(match) for match in _TOKEN.finditer(text)]
    for found in find_numbers(tokens, "en", threshold=0.0):
        parts = tokens[found.start : found.end]
        number = Number(
            value=found.value,
            step=_step(found.text if "." in found.text else f"{found.value:.0f}"),
            start=parts[0].match.start(),
            end=parts[-1].match.end(),
            scale=max(_SCALES.get(part.text().lower(), 1.0) for part in parts),
            ordinal=found.is_ordinal,
        )
        yield _as_part(number, text)


def _as_part(number: Number, text: str) -> Number:
    """Read `one hundredth of` and `two thousandths`, but not `the one hundredth of`, as parts."""
    *counted, word = text[number.start : number.end].lower().split()
    of, size = text[number.end :].startswith(" of "), _PARTS_OF.get(word.removesuffix("s"))
    numbered = re.search(r"\bthe\s$", before(text, number.start), re.IGNORECASE)
    if not counted or size is None or not (word.endswith("s") or (of and not numbered)):
        return number
    return Number(number.value / size**2, 0.0, number.start, number.end, fraction=True)


@lru_cache(maxsize=65536)
def _has_number(words: str) -> bool:
    tokens = [_Word(match) for match in _TOKEN.finditer(words)]
    return bool(find_numbers(tokens, "en", threshold=0.0))


def _step(written: str) -> float:
    whole, _, decimals = written.partition(".")
    if decimals:
        return float(10.0 ** -len(decimals))
    return float(10.0 ** (len(whole) - len(whole.rstrip("0") or whole)))


def _times(place: Place) -> Number:
    """Read `two dozen`, `half a million`, `half a hundred`, `three trillion`."""
    number, by = place.number(), place.number("by")
    times = by.value if by else {"dozen": 12.0, **_SCALES}[place.group("scale").lower()]
    value, step = (number.value, number.step) if number else (1.0, 0.0)
    half = 0.5 if place.group("half") else 1.0
    return place.read(value * half * times, step * times, scale=by.scale if by else times)


def _and_a_half(place: Place) -> Number | None:
    number = place.number()
    return number and place.read(number.value + 0.5, scale=number.scale)


def _fraction(place: Place) -> Number | None:
    """Read `two thirds`, `one-third`, `three quarters`, `a fifth of`."""
    number, part, word = place.number(), place.number("by"), place.group("word")
    if part and (part.value == 2 or not part.ordinal or place.group("by")[0].isdigit()):
        return None
    top = number.value if number else 1.0
    bottom = part.value if part else {"hal": 2.0, "qua": 4.0}[word[:3].lower()]
    if not top < bottom <= max(_PARTS_OF.values()) or (word and number and number.ordinal):
        return None
    return place.read(top / bottom, fraction=True)


def _spoken_year(place: Place) -> Number | None:
    """Read `nineteen ninety-five`."""
    first, second = place.whole("n") or 0, place.whole("by") or 0
    is_year = 17 <= first <= 20 and 10 <= second <= 99 and not place.group("n")[0].isdigit()
    return place.read(100.0 * first + second, 1.0) if is_year else None


_N: Final = f"(?P<n>{NUMBER})"
_BY: Final = f"(?P<by>{NUMBER})"
_HALF: Final = "(?P<half>half an?)"
_DOZEN: Final = rf"[\s-](?P<scale>dozen|{_SCALE})\b"
_IDIOMS: Final[tuple[tuple[re.Pattern[str], Callable[[Place], Number | None]], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), read)
    for pattern, read in (
        (rf"{_N}{_DOZEN}", _times),
        (rf"\b(?:an?|{_HALF}){_DOZEN}", _times),
        (rf"\b{_HALF}\s(?P<by>{NUMBER})(?!\w)", _times),
        (rf"(?<!\w){_N}[\s-]{_BY}(?!\w)", _spoken_year),
        (rf"(?<!\w){_N}\sand\sa\shalf\b", _and_a_half),
        (rf"(?<!\w){_N}[\s-](?P<word>half|halves|quarters?)\b", _fraction),
        (rf"(?<!\w){_N}[\s-]{_BY}s?(?!\w)", _fraction),
        (rf"\ban?\s{_BY}(?=\sof\b)", _fraction),
        (r"\ban?\s(?P<word>quarter)(?=\sof\b)", _fraction),
        (r"\b(?P<word>half)(?=\s(?:of|the|all)\b)", _fraction),
        (r"\ba\s(?:couple|pair)(?:\sof)?\b", lambda place: place.read(2.0)),
    )
)
"""Combinations of numbers: a pattern, and its reader."""
