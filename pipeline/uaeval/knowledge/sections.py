"""The sections of a text: where they start and end, and the headings above them."""

import re
from dataclasses import dataclass
from typing import Final

_HEADING: Final = re.compile(r"^(#{1,6}) +(\S.*?)[ \t]*$", re.MULTILINE)


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
    found = list(_HEADING.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    sections = []
    if not found or found[0].start() > 0:
        end = found[0].start() if found else len(text)
        sections.append(Section((), 0, 0, 0, end))
    above: list[tuple[int, str]] = []
    for match, end in zip(found, ends, strict=False):
        level = len(match[1])
        above = [entry for entry in above if entry[0] < level] + [(level, match[2])]
        path = tuple(title for _, title in above)
        sections.append(Section(path, level, match.start(), min(match.end() + 1, end), end))
    return sections
