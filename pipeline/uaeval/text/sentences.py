"""Sentences of a text, entries of its lists, rows of its tables, lines of its code."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_MARKER: Final = re.compile(r"\A\s*(?:[-*+•>]|#{1,6}|\d{1,3}[.)])\s+")
_APART: Final = re.compile(r"\s*(?:\||#{1,6}\s|(?:[-=*_]\s*){3,}$)")
"""Starts of lines that are complete by themselves."""
_RULE: Final = re.compile(r"[\s|:=*_-]*")
_END: Final = re.compile(
    r"(?<=[.!?])[\"”')\]]*\s+(?=[\"“'(\[*_]*[^\W_a-z])|(?<=[。！？])\s*|<br\s*/?>"
)
_ABBREVIATION: Final = re.compile(
    r"(?:^|[\s(\"“'])(?:(?-i:[A-Z])|(?:[A-Z]\.)+[A-Z]|e\.g|i\.e|cf|vs|viz|approx|ca|dept|est|fig|"
    r"figs|eq|sec|ch|vol|pp|ed|eds|al|inc|ltd|corp|co|llc|bros|mr|mrs|ms|dr|prof|rev|hon|sr|jr|st|"
    r"mt|ft|gen|col|sgt|capt|gov|sen|rep|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)\.$",
    re.IGNORECASE,
)
_NUMBER_SIGN: Final = re.compile(r"\b(?:nos?|art|para|p)\.$", re.IGNORECASE)
"""Abbreviations only before a digit; `No.` is a sentence otherwise."""
_LONGEST: Final = 16
_HALF_DAY: Final = re.compile(r"\b[ap]\.m\.$", re.IGNORECASE)


@lru_cache(maxsize=8192)
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, each on one line and without its list marker.

    A heading, a list entry, a table row and a line of fenced code start anew; a wrapped line goes
    on with the line before.
    """
    return tuple(piece for block in _blocks(text) for piece in block)


def _blocks(text: str) -> Iterator[list[str]]:
    """Yield the sentences of each paragraph, entry, row or line of code."""
    held: list[str] = []
    fenced = False
    for line in [*text.split("\n"), ""]:
        fence = _FENCE.match(line) is not None
        if fenced or fence or not line.strip() or _MARKER.match(line) or _APART.match(line):
            yield _split(" ".join(held))
            held = []
        if fence:
            fenced = not fenced
        elif fenced or _APART.match(line):
            yield [] if _RULE.fullmatch(line) else [" ".join(_MARKER.sub("", line, 1).split())]
        else:
            held.append(line if held else _MARKER.sub("", line, 1))
    yield _split(" ".join(held))


def _split(block: str) -> list[str]:
    """Split a paragraph where a sentence ends and another one begins."""
    joined, found, start = " ".join(block.split()), [], 0
    for match in _END.finditer(joined):
        nearest = max(start, match.start() - _LONGEST)
        if not _goes_on(joined[nearest : match.start()], joined[match.end() : match.end() + 1]):
            found.append(joined[start : match.end()].strip())
            start = match.end()
    return [piece for piece in [*found, joined[start:].strip()] if piece]


def _goes_on(before: str, after: str) -> bool:
    """Return whether the full stop at the end of `before` is that of an abbreviation."""
    if _HALF_DAY.search(before):
        return False
    if _NUMBER_SIGN.search(before):
        return after.isdigit()
    return _ABBREVIATION.search(before) is not None
