"""Files and folders that come to stand under their name only when they are whole."""

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from uaeval.errors import StorageError
from uaeval.storage import make_folder

UNFINISHED = ".unfinished"


@contextmanager
def whole(place: Path) -> Iterator[Path]:
    """Give a path beside `place` to write a file or folder to; rename it over when all went well.

    What a killed export left there is removed first.

    Raises:
        StorageError: something stands under the name already, or the disk cannot be written.
    """
    if place.exists():
        raise StorageError(f"{place} exists already; remove it, or choose another place")
    beside = place.with_name(place.name + UNFINISHED)
    make_folder(place.parent)
    _remove(beside)
    try:
        yield beside
        beside.replace(place)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError(f"cannot write {place}: {reason}; free some space") from error
    finally:
        _remove(beside)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def text_file(path: Path) -> Iterator[TextIO]:
    """Open a new file for text as it is: UTF-8, no line end changed; on the disk at the end."""
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


def write_array(path: Path, rows: Iterable[object], before: str = "", after: str = "") -> None:
    """Write one JSON array, one row a line, between what stands around it."""
    with text_file(path) as file:
        file.write(before + "[")
        for number, row in enumerate(rows):
            file.write((",\n" if number else "\n") + line(row))
        file.write("\n]" + after + "\n")
