"""Writing the dataset of a run in a format, and finding out in which one a file is."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from uaeval.errors import ConfigError, DatasetError
from uaeval.formats import hf, uaeval4rag
from uaeval.formats.dataset import Dataset
from uaeval.formats.output import whole
from uaeval.formats.own_queries import each_line
from uaeval.formats.table import FORMATS, Format
from uaeval.types import Query

_BEGINNING = 1 << 16


def export(dataset: Dataset, chosen: Format, place: Path) -> None:
    """Write `dataset` to `place`, which comes to stand there only when it is whole.

    Raises:
        ConfigError: the format cannot do without the passages.
        StorageError: something stands at `place`, or it cannot be written.
    """
    if chosen.needs_passages and not dataset.with_passages:
        raise ConfigError(f"{chosen.name} is made of passages; leave --without-passages out")
    with whole(place) as beside:
        chosen.write(dataset, beside)


def read_queries(path: Path) -> tuple[Query, ...]:
    """Read a file or folder of queries, in any format that can be read back.

    Raises:
        DatasetError: it cannot be read, or two queries have one id.
    """
    queries = tuple(_reader(path)(path))
    if not queries:
        raise DatasetError(f"{path} holds no queries")
    seen: set[str] = set()
    for query in queries:
        if query.id in seen:
            raise DatasetError(f"{path}: the id {query.id!r} comes up twice; ids must differ")
        seen.add(query.id)
    return queries


def _reader(path: Path) -> Callable[[Path], Iterator[Query]]:
    if (path / uaeval4rag.QUESTIONS).exists():
        return uaeval4rag.read
    if path.is_dir() and not next(path.glob("data/*/*.parquet"), None):
        raise DatasetError(f"{path} is not the folder of a run, nor of an exported dataset")
    if path.is_dir():
        return hf.read
    if not path.exists():
        raise DatasetError(f"there is no file {path}")
    suffix = path.suffix.lower()
    candidates = [one for one in FORMATS.values() if one.read and suffix in one.suffixes]
    if not candidates:
        known = sorted({suffix for one in FORMATS.values() if one.read for suffix in one.suffixes})
        raise DatasetError(f"cannot tell what {path} holds; name it {', '.join(known)}")
    keys = _first_keys(path, suffix)
    fitting = [one for one in candidates if one.keys <= keys]
    if not fitting:
        raise DatasetError(f"{path} is in no format that can be read; see `uaeval export --list`")
    found = max(fitting, key=lambda one: len(one.keys))
    assert found.read is not None
    return found.read


def _first_keys(path: Path, suffix: str) -> frozenset[str]:
    """Return the keys of the first record of a file of JSON; of an array, the known ones."""
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
    known = {key for one in FORMATS.values() for key in one.keys}
    return frozenset(key for key in known if json.dumps(key) in start)
