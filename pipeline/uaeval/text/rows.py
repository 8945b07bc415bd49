"""Read the rows of tables in a text: a line of cells between bars, below a line of names."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from uaeval.text.english import listed_noun, tag
from uaeval.text.sentences import tidy
from uaeval.text.wordlists import wordlist

LONGEST_CELL: Final = 25
"""Words of a cell."""
LONGEST_ROW: Final = 6
"""Words of a cell that names its row."""
_NOMINAL: Final = frozenset({"NN", "NNS", "JJ", "IN", "VBG", "DT"})


class Cell(NamedTuple):
    """A cell beside the first of its row, and what names it."""

    kind: str
    """The name of the first column, which says what the rows are."""
    row: str
    """The first cell of its row."""
    column: str
    text: str
    line: str
    """The whole row, as it stands in the text."""


def cells(text: str) -> Iterator[Cell]:
    """Yield the cells of tables whose row is named by a few words, and whose column by a noun."""
    header: list[str] = []
    for line in text.split("\n"):
        kept = [tidy(cell) for cell in line.strip(" |").split("|")]
        if len(kept) < 2 or (header and len(kept) != len(header)):
            header = []
        elif not header:
            header = kept if len(set(kept)) == len(kept) else []
        elif _names_column(header[0]) and re.search(r"[a-z]", kept[0]):
            yield from _row(header, kept, line.strip())


def _row(header: list[str], kept: list[str], line: str) -> Iterator[Cell]:
    row = kept[0]
    for column, text in zip(header[1:], kept[1:], strict=True):
        brief = 0 < len(text.split()) <= LONGEST_CELL and len(row.split()) <= LONGEST_ROW
        if brief and text != row and _names_column(column):
            yield Cell(header[0], row, column, text, line)


def _names_column(name: str) -> bool:
    """Return whether the name of a column is a noun phrase that says something."""
    dull = wordlist("plain_headings") | {"name", "use"}
    if not re.fullmatch(r"[A-Z][a-z]+(?: [a-z]+){0,3}", name) or name.lower() in dull:
        return False
    nominal = {token.tag for token in tag(name.lower())} <= _NOMINAL and not name.endswith("ing")
    return nominal and listed_noun(name.split()[-1])
