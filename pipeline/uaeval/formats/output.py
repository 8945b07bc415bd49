"""Write files and folders that get their final name when they are complete."""

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from uaeval.errors import StorageError
from uaeval.storage import make_folder, storage_errors

UNFINISHED = ".unfinished"


@contextmanager
def renamed_when_complete(place: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; rename it to `place` on success.

    Raises `StorageError` if `place` exists, or cannot be written.
    """
    temporary = place.with_name(place.name + UNFINISHED)
    with storage_errors(f"write {place}", "; free some space, or choose another place"):
        if place.exists():
            raise StorageError(f"{place} exists already; remove it, or choose another place")
        make_folder(place.parent)
        try:
            _remove(temporary)
            yield temporary
            temporary.replace(place)
        finally:
            _remove(temporary)


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
    """Write each row as one line of JSON."""
    with text_file(path) as file:
        for row in rows:
            file.write(line(row) + "\n")


def write_array(path: Path, rows: Iterable[object], before: str = "", after: str = "") -> None:
    """Write a JSON array with one element per line, between the texts `before` and `after`."""
    with text_file(path) as file:
        file.write(before + "[")
        for number, row in enumerate(rows):
            file.write((",\n" if number else "\n") + line(row))
        file.write("\n]" + after + "\n")
