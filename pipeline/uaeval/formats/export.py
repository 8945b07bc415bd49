"""Write a dataset in a format, and read queries from a file of any format."""

import json
from pathlib import Path

from uaeval.errors import ConfigError, DatasetError
from uaeval.formats.dataset import Dataset
from uaeval.formats.format import Format, formats
from uaeval.formats.output import renamed_when_complete
from uaeval.formats.reading import json_lines
from uaeval.records import Query

_BEGINNING = 1 << 16


def export(dataset: Dataset, chosen: Format, place: Path) -> None:
    """Write `dataset` to `place`, which exists only after the export is complete."""
    if chosen.needs_passages and not dataset.with_passages:
        raise ConfigError(f"{chosen.name} needs the passages; leave --without-passages out")
    with renamed_when_complete(place) as temporary:
        chosen.write(dataset, temporary)


def read_queries(path: Path) -> tuple[Query, ...]:
    """Return the queries of a file or folder, in any format that can be read back."""
    chosen = _format_of(path, [known for known in formats().values() if known.read])
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
    """Return the format of a file or folder; if several fit, the one with the most keys."""
    if path.is_dir():
        for fmt in readable:
            if fmt.contains and next(path.glob(fmt.contains), None):
                return fmt
        raise DatasetError(f"{path} is not the folder of a run, nor of an exported dataset")
    if not path.exists():
        raise DatasetError(f"no such file: {path}")
    suffix = path.suffix.lower()
    candidates = [fmt for fmt in readable if suffix in fmt.suffixes]
    if not candidates:
        known = sorted({suffix for fmt in readable for suffix in fmt.suffixes})
        raise DatasetError(f"{path}: unknown suffix; rename it to end in {', '.join(known)}")
    keys = _first_keys(path, suffix, frozenset[str]().union(*(fmt.keys for fmt in candidates)))
    fitting = [fmt for fmt in candidates if fmt.keys <= keys]
    if not fitting:
        raise DatasetError(f"{path} is in no format that can be read; see `uaeval export --list`")
    return max(fitting, key=lambda fmt: len(fmt.keys))


def _first_keys(path: Path, suffix: str, known: frozenset[str]) -> frozenset[str]:
    """Return the keys of a JSON file's first record; for an array, those of `known` in it."""
    if suffix == ".jsonl":
        return frozenset(next((value for _, value in json_lines(path)), {}))
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
