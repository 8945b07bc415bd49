"""Recognise passages that no question can be asked about: navigation, notices, contents."""

import re
from typing import Final

from uaeval.records import Chunk
from uaeval.resources import shipped_table
from uaeval.text.words import count_words

MIN_WORDS: Final = 10
"""Sections with fewer words are joined to their neighbours, or set aside."""
_BRIEF: Final = 50
"""Passages with more words are not navigation or a notice, even if they have such a phrase."""
_LIST_MARKER: Final = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_LEADER: Final = re.compile(r"(?:\.\s?){4,}\s*\d+\s*$|…+\s*\d+\s*$")
_SENTENCE: Final = re.compile(r"[^\W\d]{2}[.!?](?:\s|$)|[。！？؟।]")
_SENTENCE_OR_DIGIT: Final = re.compile(r"[.!?。！？؟।\d¹²³]")
_NAVIGATION, _NOTICE, _POINTERS, _CONTENTS = (
    re.compile("|".join(patterns), re.IGNORECASE | re.MULTILINE)
    for patterns in shipped_table("knowledge/boilerplate.yaml").values()
)
_URL: Final = re.compile(r"\b(?:https?|ftp)://\S+|\bwww\.\S+")
_LINK_WORDS: Final = 6
_FEW_LINES: Final = 4


def unfit(passage: Chunk, own: frozenset[str], others: frozenset[str]) -> str | None:
    """Return why a passage should not be asked about; `None` if it is fit.

    `own` are the headings of its document, and `others` those and the titles of all, case-folded.
    """
    text, heading = passage.text, passage.heading.rpartition(" › ")[2]
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    length = count_words(text)
    brief = length < _BRIEF
    listed = _CONTENTS.fullmatch(passage.title) and not _SENTENCE.search(text)
    if listed or _is_contents(lines, own, others):
        return "table of contents"
    if _is_links(lines) or _are_pointers(lines, heading) or (brief and _NAVIGATION.search(text)):
        return "navigation"
    if brief and _NOTICE.search(text):
        return "site notice"
    return f"fewer than {MIN_WORDS} words" if length < MIN_WORDS else None


def _is_contents(lines: list[str], own: frozenset[str], others: frozenset[str]) -> bool:
    """Return whether most lines name pages of a book, sections, or other documents."""
    if len(lines) < 3:
        return False
    names = [_LIST_MARKER.sub("", line, count=1).strip().casefold() for line in lines]
    threshold = 0.6 * len(lines)
    return (
        sum(bool(_LEADER.search(line)) for line in lines) > threshold
        or sum(name in own for name in names) > threshold
        or (len(lines) >= _FEW_LINES and sum(name in others for name in names) > 0.8 * len(lines))
    )


def _are_pointers(lines: list[str], heading: str) -> bool:
    """Return whether the lines are the items of "See also", or most have an address."""
    word_counts = [count_words(_URL.sub("", line)) for line in lines]
    if len(lines) < 2 or max(word_counts) > 20:
        return False
    with_url = sum(bool(_URL.search(line)) for line in lines)
    if _POINTERS.fullmatch(heading):
        return all(_LIST_MARKER.match(line) or _URL.search(line) for line in lines)
    short = max(word_counts) <= _LINK_WORDS
    return short and len(lines) >= _FEW_LINES and with_url > 0.8 * len(lines)


def _is_links(lines: list[str]) -> bool:
    """Return whether the lines are short list items without figures: names of other pages."""
    return len(lines) >= _FEW_LINES and all(
        _LIST_MARKER.match(line)
        and count_words(line) <= _LINK_WORDS
        and not _SENTENCE_OR_DIGIT.search(_LIST_MARKER.sub("", line, count=1))
        for line in lines
    )
