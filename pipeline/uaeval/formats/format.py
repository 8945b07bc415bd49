"""What an export format declares."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from uaeval.formats.dataset import Dataset
from uaeval.types import Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One way to write a dataset; packages add more with the entry-point group `uaeval.formats`."""

    name: str
    purpose: str
    loses: str
    """What the format does not keep, and limits of the tool that reads it."""
    write: Callable[[Dataset, Path], None]
    """Write the dataset to a path that does not exist yet."""
    folder: bool = False
    """Whether it writes a folder."""
    needs_passages: bool = False
    passes: int = 1
    """How many times it reads the dataset; for the progress bar."""
    read: Callable[[Path], Iterator[Query]] | None = None
    """Yield the queries of a file or folder."""
    lossless: bool = False
    """Whether `read` returns the records that were written, with their evidence and checks."""
    keys: frozenset[str] = frozenset()
    """Keys of a file's first record that identify the format among those of the same suffix."""
    suffixes: tuple[str, ...] = (".jsonl",)
    """File name endings that `read` takes."""
    contains: str = ""
    """A glob pattern of a file that identifies a folder of this format."""

    @property
    def back(self) -> Literal["whole", "queries", "no"]:
        """What `read` restores: whole records, the queries without their proof, or nothing."""
        if self.read is None:
            return "no"
        return "whole" if self.lossless else "queries"
