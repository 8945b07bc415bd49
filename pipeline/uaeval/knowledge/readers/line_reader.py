"""Read the lines of a file of rows; the rest of a line that is too long is skipped."""

from collections.abc import Iterator
from typing import TextIO

from uaeval.knowledge.reading import UnusableFile

_PIECE = 1 << 20
_LINE_ENDS = ("\n", "\r")


def too_long(limit: int) -> UnusableFile:
    """Say why a line or a cell is left out."""
    return UnusableFile(f"it is longer than {limit:,} characters; split it into several rows")


class LineReader(Iterator[str]):
    """The lines of an open file, as `csv` wants them.

    A line longer than `limit` raises `UnusableFile`; after `skip`, reading goes on behind it.
    """

    def __init__(self, file: TextIO, limit: int) -> None:
        self._file = file
        self._limit = limit
        self._ended = True
        self._quotes = 0
        self.number = 0
        """Of the line that was read last, from 1."""

    def __next__(self) -> str:
        line = self._line(self._limit + 2)
        if not line:
            raise StopIteration
        if len(line.rstrip("\r\n")) > self._limit:
            raise too_long(self._limit)
        return line

    def start_record(self) -> None:
        """Count quotes from here."""
        self._quotes = 0

    def skip(self, *, quoted: bool = False) -> None:
        """Read past the line; if `quoted`, past the record: to the end of a line outside quotes."""
        while not self._ended or (quoted and self._quotes % 2):
            if not self._line(_PIECE):
                return

    def _line(self, longest: int) -> str:
        piece = self._file.readline(longest)
        self.number += self._ended and bool(piece)
        self._quotes += piece.count('"')
        self._ended = piece.endswith(_LINE_ENDS)
        return piece
