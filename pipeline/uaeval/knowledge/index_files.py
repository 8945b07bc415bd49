"""The folder of the files that searches read, which are derived from passages and vectors.

The files are used only if they were made from the same passages, and no file of the index has
changed in size or time since; otherwise they are written again.
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from uaeval.errors import StorageError
from uaeval.knowledge.word_search import LIBRARY
from uaeval.storage import write_json

FILES: Final = f"2 {LIBRARY}"
"""Version of the files; files of another version are written again."""
_FOLDER: Final = "search"
_MARK: Final = "search.json"
"""File with the contents that the files were made from, and their sizes and times; written last."""


def current_files(place: Path, contents: str) -> Path | None:
    """Return the folder of the files made from these contents; `None` if there is none."""
    try:
        mark = json.loads((place / _MARK).read_bytes())
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    return place / _FOLDER if mark == _state(place, contents) else None


@contextmanager
def new_files(place: Path, contents: str) -> Iterator[Path]:
    """Yield a folder that then replaces the earlier one; raise `StorageError` if it cannot."""
    try:
        for path in place.glob(f"{_FOLDER}.*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        folder = place / f"{_FOLDER}.{os.getpid()}"
        folder.mkdir()
        yield folder
        for path in folder.iterdir():
            with path.open("rb+") as file:
                os.fsync(file.fileno())
        shutil.rmtree(place / _FOLDER, ignore_errors=True)
        folder.replace(place / _FOLDER)
        write_json(place / _MARK, _state(place, contents))
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError(
            f"the index {place} cannot be written ({reason}); free some space or choose another "
            "-o folder"
        ) from error


def _state(place: Path, contents: str) -> dict[str, object]:
    files = sorted(path for path in place.rglob("*") if path.is_file() and path.name != _MARK)
    stats = {path.relative_to(place).as_posix(): path.stat() for path in files}
    sizes = {name: [stat.st_size, stat.st_mtime_ns] for name, stat in stats.items()}
    return {"contents": contents, "files": sizes}
