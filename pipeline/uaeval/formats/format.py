"""The declaration of an export format, and the registry of formats."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from uaeval.errors import ConfigError
from uaeval.formats.dataset import Dataset
from uaeval.plugins import declared, registry
from uaeval.records import Query

_MODULES: Final = "hf csv beir autorag squad2 uaeval4rag".split()
"""The modules of this folder that declare a `FORMAT`; `tools.yaml` declares the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One export format; packages register more in the entry-point group `uaeval.formats`."""

    name: str
    purpose: str
    loses: str
    """What the format leaves out, and limits of the tool that reads it."""
    write: Callable[[Dataset, Path], None]
    """Writes the dataset to a path that does not exist yet."""
    folder: bool = False
    """Whether it writes a folder instead of a file."""
    needs_passages: bool = False
    passes: int = 1
    """How many times it iterates over the dataset, for the progress bar."""
    read: Callable[[Path], Iterator[Query]] | None = None
    """Yields the queries of a file or folder."""
    lossless: bool = False
    """Whether `read` yields the complete records, with evidence and checks."""
    keys: frozenset[str] = frozenset()
    """Keys of a file's first record that identify the format among those with the same suffix."""
    suffixes: tuple[str, ...] = (".jsonl",)
    """Suffixes of the files that `read` accepts."""
    contains: str = ""
    """A glob pattern of a file that identifies a folder of this format."""

    @property
    def back(self) -> Literal["whole", "queries", "no"]:
        """What `read` restores: whole records, queries without their proof, or nothing."""
        if self.read is None:
            return "no"
        return "whole" if self.lossless else "queries"


def formats() -> Mapping[str, Format]:
    """Return all formats by name, the built-in ones before those of plugins."""
    from uaeval.formats.tools import tools  # which imports this module

    of_modules = (declared(f"uaeval.formats.{name}", "FORMAT", Format) for name in _MODULES)
    return registry("uaeval.formats", Format, (*of_modules, *tools()))


def format_named(name: str) -> Format:
    """Return the format called `name`; raise `ConfigError` if there is none."""
    known = formats()
    if name not in known:
        raise ConfigError(f"unknown format {name!r}; known formats: {', '.join(known)}")
    return known[name]
