"""Write a dataset in a format, and read queries from a file of any format."""

import json
from pathlib import Path

from uaeval.errors import ConfigError, DatasetError
from uaeval.formats.dataset import Dataset
from uaeval.formats.format import Format, formats
from uaeval.formats.output import whole
from uaeval.formats.reading import each_line
from uaeval.records import Query

_BEGINNING = 1 << 16


def export(dataset: Dataset, chosen: Format, place: Path) -> None:
    """Write `dataset` to `place`, which exists only once it is complete.

    Raises:
        ConfigError: the format needs the passages, which the dataset leaves out.
        StorageError: `place` exists, or cannot be written.
    """
    if chosen.needs_passages and not dataset.with_passages:
        raise ConfigError(f"{chosen.name} is made of passages; leave --without-passages out")
    with whole(place) as beside:
        chosen.write(dataset, beside)


def read_queries(path: Path) -> tuple[Query, ...]:
    """Read a file or folder of queries, in any format that can be read back.

    Raises:
        DatasetError: it cannot be read, holds no queries, or an id is used twice.
    """
    chosen = _format_of(path, [each for each in formats().values() if each.read])
    assert chosen.read is not None
    queries = tuple(chosen.read(path))
    if not queries:
        raise DatasetError(f"{path} holds no queries")
    seen: set[str] = set()
    for query in queries:
        if query.id in seen:
            raise DatasetError(f"{path}: duplicate id {query.id!r}; ids must differ")
        seen.add(query.id)
    return queries


def _format_of(path: Path, readable: list[Format]) -> Format:
    """Return the format of a file or folder, the one with the most keys if several fit."""
    if path.is_dir():
        for each in readable:
            if each.contains and next(path.glob(each.contains), None):
                return each
        raise DatasetError(f"{path} is not the folder of a run, nor of an exported dataset")
    if not path.exists():
        raise DatasetError(f"no such file: {path}")
    suffix = path.suffix.lower()
    candidates = [each for each in readable if suffix in each.suffixes]
    if not candidates:
        known = sorted({suffix for each in readable for suffix in each.suffixes})
        raise DatasetError(f"unknown ending of {path}; rename it to end in {', '.join(known)}")
    keys = _first_keys(path, suffix, frozenset[str]().union(*(each.keys for each in candidates)))
    fitting = [each for each in candidates if each.keys <= keys]
    if not fitting:
        raise DatasetError(f"{path} is in no format that can be read; see `uaeval export --list`")
    return max(fitting, key=lambda each: len(each.keys))


def _first_keys(path: Path, suffix: str, known: frozenset[str]) -> frozenset[str]:
    """Return the keys of a JSON file's first record; of an array, the known ones."""
    if suffix == ".jsonl":
        return frozenset(next((value for _, value in each_line(path)), {}))
    if suffix != ".json":
        return frozenset()
    try:
        with path.open(encoding="utf-8-sig") as file:
            start = file.read(_BEGINNING).lstrip()
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"cannot read {path}: {error}") from error
    if not start.startswith("["):
        return frozenset({"data"})
    return frozenset(key for key in known if json.dumps(key) in start)
