"""Write files and folders, under their own name only when they are complete."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, TypeAlias

from uaeval.errors import StorageError
from uaeval.formats.dataset import Dataset
from uaeval.records import Query
from uaeval.storage import make_folder

UNFINISHED = ".unfinished"
Record: TypeAlias = Callable[[Query, Dataset], dict[str, object]]
"""Makes the JSON record of one query."""


@contextmanager
def whole(place: Path) -> Iterator[Path]:
    """Yield a path beside `place` to write to; rename it to `place` on success.

    The remains of a killed export are removed first.

    Raises:
        StorageError: `place` exists, or the disk cannot be written.
    """
    beside = place.with_name(place.name + UNFINISHED)
    try:
        if place.exists():
            raise StorageError(f"{place} exists already; remove it, or choose another place")
        make_folder(place.parent)
        with removed(beside):
            yield beside
            beside.replace(place)
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"cannot write {place}: {reason}; free some space, or choose another place"
        raise StorageError(message) from error


@contextmanager
def removed(path: Path) -> Iterator[None]:
    """Remove a file or folder before and after the block."""
    try:
        _remove(path)
        yield
    finally:
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def text_file(path: Path) -> Iterator[TextIO]:
    """Open a new UTF-8 file without newline translation; sync it to the disk at the end."""
    with path.open("w", encoding="utf-8", newline="") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def line(value: object) -> str:
    """Return `value` as one line of JSON."""
    return json.dumps(value, ensure_ascii=False)


def write_lines(path: Path, rows: Iterable[object]) -> None:
    """Write one line of JSON for each row."""
    with text_file(path) as file:
        for row in rows:
            file.write(line(row) + "\n")


def lines_of(record: Record) -> Callable[[Dataset, Path], None]:
    """Return a writer of one record a line."""
    return lambda dataset, place: write_lines(place, (record(each, dataset) for each in dataset))


def array_of(record: Record, before: str = "", after: str = "") -> Callable[[Dataset, Path], None]:
    """Return a writer of a JSON array, a record a line, between the texts `before` and `after`."""

    def write(dataset: Dataset, place: Path) -> None:
        with text_file(place) as file:
            file.write(before + "[")
            for number, query in enumerate(dataset):
                file.write((",\n" if number else "\n") + line(record(query, dataset)))
            file.write("\n]" + after + "\n")

    return write
