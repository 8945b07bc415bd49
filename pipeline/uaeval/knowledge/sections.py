"""The sections of a text: where they start and end, and the headings above them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_HEADING_OR_CODE: Final = re.compile(
    r"^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1|\Z)|^(#{1,6}) +(\S.*?)[ \t]*$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Section:
    """The text below one heading, up to the next heading of any level."""

    path: tuple[str, ...]
    """The headings above it, outermost first, its own last."""
    level: int
    """Depth of its own heading, 1 to 6; 0 for text before the first heading."""
    head: int
    """Where its heading starts."""
    start: int
    """Where its body starts."""
    end: int


def sections_of(text: str) -> list[Section]:
    """Cut a text at its `#` headings; the sections join up to the whole text."""
    headings = list(_headings(text))
    ends = [match.start() for match in headings[1:]] + [len(text)]
    sections = []
    if not headings or headings[0].start() > 0:
        end = headings[0].start() if headings else len(text)
        sections.append(Section((), 0, 0, 0, end))
    above: list[tuple[int, str]] = []
    for match, end in zip(headings, ends, strict=False):
        level = len(match[2])
        above = [entry for entry in above if entry[0] < level] + [(level, match[3])]
        path = tuple(title for _, title in above)
        sections.append(Section(path, level, match.start(), min(match.end() + 1, end), end))
    return sections


def _headings(text: str) -> Iterator[re.Match[str]]:
    """Yield the headings: `#` lines after an empty line or another heading, outside fences."""
    last, level = -1, ""
    for match in _HEADING_OR_CODE.finditer(text):
        line_before = text[text.rfind("\n", 0, max(match.start() - 1, 0)) : match.start()]
        after_heading = match.start() == last + 1 and match[2] != level
        if match[2] and (after_heading or not line_before.strip()):
            last, level = match.end(), match[2]
            yield match
