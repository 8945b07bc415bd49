"""The export formats: their declaration and registry, and writing and reading in any of them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from uaeval.errors import ConfigError, DatasetError
from uaeval.formats.dataset import Dataset
from uaeval.formats.reading import json_lines, read_json
from uaeval.plugins import declared, registry
from uaeval.records import Query
from uaeval.storage import renamed_when_complete

_MODULES: Final = "hf csv squad2 uaeval4rag".split()
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
        return "no" if not self.read else "whole" if self.lossless else "queries"


def formats() -> Mapping[str, Format]:
    """Return all formats by name, the built-in ones before those of plugins."""
    from uaeval.formats.tools import tools  # which imports this module

    of_modules = (declared(f"uaeval.formats.{name}", "FORMAT", Format) for name in _MODULES)
    return registry("uaeval.formats", Format, (*of_modules, *tools()))


def format_named(name: str) -> Format:
    """Return the format called `name`; raise `ConfigError` if there is none."""
    if name not in (known := formats()):
        raise ConfigError(f"unknown format {name!r}; known formats: {', '.join(known)}")
    return known[name]


def export(dataset: Dataset, chosen: Format, place: Path) -> None:
    """Write `dataset` to `place`, which exists only after the export is complete.

    Raises `ConfigError` if the format needs passages that the dataset leaves out, `StorageError` if
    `place` exists or cannot be written.
    """
    if chosen.needs_passages and not dataset.with_passages:
        raise ConfigError(f"{chosen.name} needs the passages; leave --without-passages out")
    with renamed_when_complete(place) as temporary:
        chosen.write(dataset, temporary)


def read_queries(path: Path) -> tuple[Query, ...]:
    """Return the queries of a file or folder, in any format that can be read back.

    Raises `DatasetError` if it cannot be read, holds no queries, or has a duplicate id.
    """
    chosen = _format_of(path, [known for known in formats().values() if known.read])
    assert chosen.read is not None
    if not (queries := tuple(chosen.read(path))):
        raise DatasetError(f"{path} holds no queries")
    name, count = Counter(query.id for query in queries).most_common(1)[0]
    if count > 1:
        raise DatasetError(f"{path}: duplicate id {name!r}; ids must differ")
    return queries


def _format_of(path: Path, readable: list[Format]) -> Format:
    """Return the format of a file or folder; if several fit, the one with the most keys."""
    if path.is_dir():
        for fmt in readable:
            if fmt.contains and next(path.glob(fmt.contains), None):
                return fmt
        raise DatasetError(f"{path} is not the folder of a run, nor of an exported dataset")
    if not path.exists():
        raise DatasetError(f"no such file: {path}")
    suffix = path.suffix.lower()
    if not (candidates := [fmt for fmt in readable if suffix in fmt.suffixes]):
        known = sorted({suffix for fmt in readable for suffix in fmt.suffixes})
        raise DatasetError(f"{path}: unknown suffix; rename it to end in {', '.join(known)}")
    keys = _first_keys(path, suffix)
    if not (fitting := [fmt for fmt in candidates if fmt.keys <= keys]):
        raise DatasetError(f"{path} is in no format that can be read; see `uaeval export --list`")
    return max(fitting, key=lambda fmt: len(fmt.keys))


def _first_keys(path: Path, suffix: str) -> frozenset[str]:
    """Return the keys of the first line or element of a JSON file, or of the object in it."""
    if suffix == ".jsonl":
        return frozenset(next((value for _, value in json_lines(path)), {}))
    value = read_json(path) if suffix == ".json" else None
    first = next(iter(value), None) if isinstance(value, list) else value
    return frozenset(first if isinstance(first, dict) else ())
