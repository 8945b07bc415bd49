"""Passages that say nothing a question could be asked about."""

import re
from typing import Final

from uaeval.text.words import count_words

MIN_WORDS: Final = 10
"""A shorter section is joined to its neighbours, or set aside."""
_BRIEF: Final = 50
"""A longer passage is not taken for navigation or a notice because of one phrase."""
_LISTED: Final = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_LEADER: Final = re.compile(r"(?:\.\s?){4,}\s*\d+\s*$|…+\s*\d+\s*$")
_SENTENCE: Final = re.compile(r"[.!?。！？؟।]")
_NAVIGATION: Final = re.compile(
    r"\b(?:table of contents|on this page|in this section|skip to (?:main )?content|site ?map"
    r"|back to top|quick links|related (?:links|pages|articles)|breadcrumbs?)\b",
    re.IGNORECASE,
)
_NOTICE: Final = re.compile(
    r"\b(?:(?:uses?|accept|manage|about) (?:all )?cookies|cookie (?:policy|settings|preferences)"
    r"|all rights reserved|subscribe to our newsletter|terms of use and privacy)\b",
    re.IGNORECASE,
)
_LINK_WORDS: Final = 6
_FEW_LINES: Final = 4


def unfit(text: str, headings: frozenset[str], *, tiny: bool) -> str | None:
    """Say why a passage should not be asked about; `None` if it is fit.

    Args:
        text: The passage.
        headings: Every heading of its document, case-folded.
        tiny: Whether it has too few words to stand alone.
    """
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    if _is_contents(lines, headings):
        return "table of contents"
    if _is_links(lines) or (_NAVIGATION.search(text) and count_words(text) < _BRIEF):
        return "navigation"
    if _NOTICE.search(text) and count_words(text) < _BRIEF:
        return "site notice"
    return f"fewer than {MIN_WORDS} words" if tiny else None


def _is_contents(lines: list[str], headings: frozenset[str]) -> bool:
    if len(lines) < 3:
        return False
    leaders = sum(1 for line in lines if _LEADER.search(line))
    named = sum(
        1 for line in lines if _LISTED.sub("", line, count=1).strip().casefold() in headings
    )
    return max(leaders, named) > 0.6 * len(lines)


def _is_links(lines: list[str]) -> bool:
    """Say whether these are only short list items without figures: names of other pages."""
    return len(lines) >= _FEW_LINES and all(
        _LISTED.match(line)
        and count_words(line) <= _LINK_WORDS
        and not _SENTENCE.search(_LISTED.sub("", line, count=1))
        and not any(letter.isdigit() for letter in _LISTED.sub("", line, count=1))
        for line in lines
    )
