"""Find the runs in a folder, with their progress and their evaluations."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

from uaeval.config import RESPONSES
from uaeval.errors import StorageError
from uaeval.evaluation.evaluation import SCORES, read_scores
from uaeval.evaluation.manifest import read_manifest
from uaeval.run_folder import Manifest, RunFolder
from uaeval.storage import storage_errors

T = TypeVar("T")

DEPTH = 4
"""Levels of subfolders that are searched."""
_MANIFEST = "manifest.json"
_WRITTEN = (_MANIFEST, SCORES, RESPONSES, "responses.sqlite", "responses.sqlite-wal")


class _Entry:
    """A folder in the list."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder = folder
        self.id = hashlib.sha256(os.fsencode(folder.relative_to(root))).hexdigest()[:12]
        """An id for URLs, which reveals no path and leads only to folders that were found."""
        self.changed = max(map(_changed, (folder / name for name in _WRITTEN)))
        """When a file was last written, in seconds since 1970."""


class EvaluationEntry(_Entry):
    """An evaluation in the list."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.manifest = _read(folder / _MANIFEST, read_manifest)
        super().__init__(folder, root)
        self.ended = self.manifest.status in {"lacking", "complete"}
        """Whether the evaluation has a report."""
        self.scores = _read(folder / SCORES, read_scores) if self.ended else ()
        self.responses = self.manifest.responses if self.ended else _lines(folder / RESPONSES)
        """Number of responses so far."""
        self.sweep = self.manifest.sweep or ""
        """The sweep that the evaluation is a cell of; empty if there is none."""


class RunEntry(_Entry):
    """A run in the list."""

    def __init__(self, folder: Path, root: Path, problems: list[str]) -> None:
        self.manifest = _read(folder / _MANIFEST, Manifest.read)
        super().__init__(folder, root)
        self.name = folder.relative_to(root).as_posix() if folder != root else root.resolve().name
        folders = (each.parent for each in sorted(folder.glob(f"evaluations/*/{_MANIFEST}")))
        self.evaluations = tuple(_readable(partial(EvaluationEntry, root=root), folders, problems))
        self.last_changed = max(each.changed for each in (self, *self.evaluations))
        self.has_queries = RunFolder(folder).queries_path.exists()
        asked, selected = self.manifest.asked, self.manifest.selected
        proven = self.manifest.stages.get("verify", {})
        written = selected or {name: count.kept for name, count in proven.items()}
        self.progress = {name: (min(n, written.get(name, 0)), n) for name, n in asked.items()}
        """Selected queries (before the selection, proven ones) and quota, by category."""


def find_runs(folder: Path) -> tuple[list[RunEntry], list[str]]:
    """Return the runs in `folder`, down to `DEPTH` levels of subfolders, and error messages.

    Runs come first that were written last, evaluations included, to the minute. Symbolic links are
    not followed, and folders whose name begins with a dot are left out.
    """
    problems = list[str]()
    runs = _readable(lambda path: RunEntry(path, folder, problems), _run_folders(folder), problems)
    return sorted(runs, key=lambda run: -run.last_changed // 60), problems


def _readable(read: Callable[[Path], T], paths: Iterable[Path], problems: list[str]) -> Iterator[T]:
    """Yield the result of `read` for each folder; append errors to `problems`."""
    for path in paths:
        try:
            yield read(path)
        except StorageError as error:
            problems.append(str(error))


def _run_folders(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        path = Path(place)
        if _MANIFEST in files:
            yield path
        if _MANIFEST in files or len(path.relative_to(folder).parts) >= DEPTH:
            folders.clear()
        folders[:] = sorted(name for name in folders if not name.startswith("."))


def _changed(path: Path) -> float:
    with suppress(FileNotFoundError):
        return path.stat().st_mtime
    return 0.0


def _lines(path: Path) -> int:
    with suppress(FileNotFoundError), path.open("rb") as file:
        return sum(1 for _ in file)
    return 0


def _read(path: Path, reader: Callable[[Path], T | None]) -> T:
    """Return the content of a file, from a cache if the file has not changed."""
    with storage_errors(f"read {path}"):
        stat = path.stat()
    value: T | None = _cached(path, reader, stat.st_mtime_ns, stat.st_size)
    if value is None:
        raise StorageError(f"{path} was deleted")
    return value


@lru_cache(maxsize=10_000)
def _cached(path: Path, reader: Callable[[Path], T | None], _mtime: int, _size: int) -> T | None:
    return reader(path)
