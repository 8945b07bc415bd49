"""Clean text, block by block: headings, paragraphs, lists, tables and code, each in one form."""

from textwrap import dedent, indent
from typing import Final

_CODE_INDENT: Final = " " * 4


class Blocks:
    """Collects the blocks of a text; an empty line stands between those that are no one list."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._group: object = None

    def add(self, block: str, group: object = None) -> None:
        """Add a block; those in a row with the same `group`, as of a list, stand close."""
        if not block.strip():
            return
        if self._parts:
            self._parts.append("\n" if group is not None and group == self._group else "\n\n")
        self._parts.append(block)
        self._group = group

    def heading(self, level: int, text: str) -> None:
        """Add a heading of a level from 1."""
        words = " ".join(text.split())
        self.add(f"{'#' * min(level, 6)} {words}" if words else "")

    def paragraph(self, text: str) -> None:
        """Add a paragraph, its lines joined."""
        self.add(" ".join(text.split()))

    def item(self, text: str, *, marker: str = "-", depth: int = 0, group: object = "list") -> None:
        """Add an item of a list, `depth` lists within others; its further lines are indented."""
        lead = "  " * depth + marker + " "
        self.add(indent(text, " " * len(lead)).replace(" " * len(lead), lead, 1), group)

    def code(self, code: str, *, depth: int = 0, group: object = None) -> None:
        """Add lines of code as they are, `depth` lists deep."""
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
    """Return code as an indented block, `depth` lists deep."""
    lines = (line.rstrip() for line in dedent(code.expandtabs(4)).strip("\n").split("\n"))
    return indent("\n".join(lines), "  " * depth + _CODE_INDENT)
