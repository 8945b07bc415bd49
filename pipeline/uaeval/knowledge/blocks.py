"""Write clean text with uniform headings, lists, tables and code; split it into sections."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent, indent
from typing import Final

_HEADING_OR_CODE: Final = re.compile(
    r"^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1|\Z)|^(#{1,6}) +(\S.*?)[ \t]*$", re.MULTILINE
)


class Blocks:
    """Collects the blocks of a text, and separates them by empty lines, except within a list."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._group: object = None

    def add(self, block: str, group: object = None) -> None:
        """Add a block; no empty line separates neighbours of one `group`, such as list items."""
        if not block.strip():
            return
        if self._parts:
            self._parts.append("\n" if group is not None and group == self._group else "\n\n")
        self._parts.append(block)
        self._group = group

    def heading(self, level: int, text: str) -> None:
        """Add a heading; the highest level is 1."""
        words = " ".join(text.split())
        self.add(f"{'#' * min(level, 6)} {words}" if words else "")

    def paragraph(self, text: str) -> None:
        """Add a paragraph with its lines joined."""
        self.add(" ".join(text.split()))

    def item(self, text: str, *, marker: str = "-", depth: int = 0, group: object = "list") -> None:
        """Add a list item, in a list nested `depth` deep; its further lines are indented."""
        lead = "  " * depth + marker + " "
        self.add(indent(text, " " * len(lead)).replace(" " * len(lead), lead, 1), group)

    def code(self, code: str, *, depth: int = 0, group: object = None) -> None:
        """Add unchanged lines of code, in a list nested `depth` deep."""
        self.add(as_code(code, depth), group)

    def row(self, cells: list[str], group: object = "table") -> None:
        """Add a row of a table."""
        while cells and not cells[-1].strip():
            cells = cells[:-1]
        self.add(" | ".join(" ".join(cell.split()) for cell in cells), group)

    def text(self) -> str:
        """Return the text."""
        return "".join(self._parts)


def as_code(code: str, depth: int = 0) -> str:
    """Return code as an indented block, in a list nested `depth` deep."""
    lines = (line.rstrip() for line in dedent(code.expandtabs(4)).strip("\n").split("\n"))
    return indent("\n".join(lines), "  " * depth + "    ")


@dataclass(frozen=True, slots=True)
class Section:
    """The text below one heading, up to the next heading of any level."""

    path: tuple[str, ...]
    """The headings above the text, outermost first; its own heading is last."""
    level: int
    """Level of its own heading, 1 to 6; 0 for text before the first heading."""
    start: int
    """Offset of the first character of the body."""
    end: int


def sections_of(text: str) -> list[Section]:
    """Return the sections of a text, which `#` headings separate."""
    headings = list(_headings(text))
    first, *ends = [*(match.start() for match in headings), len(text)]
    sections = [Section((), 0, 0, first)] if first or not headings else []
    ancestors: list[tuple[int, str]] = []
    for match, end in zip(headings, ends, strict=True):
        level = len(match[2])
        ancestors = [entry for entry in ancestors if entry[0] < level] + [(level, match[3])]
        path = tuple(title for _, title in ancestors)
        sections.append(Section(path, level, min(match.end() + 1, end), end))
    return sections


def _headings(text: str) -> Iterator[re.Match[str]]:
    """Yield the headings: `#` lines outside of fences, after an empty line or another heading."""
    last, level = -1, ""
    for match in _HEADING_OR_CODE.finditer(text):
        line_before = text[text.rfind("\n", 0, max(match.start() - 1, 0)) : match.start()]
        after_heading = match.start() == last + 1 and match[2] != level
        if match[2] and (after_heading or not line_before.strip()):
            last, level = match.end(), match[2]
            yield match
