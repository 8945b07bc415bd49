"""Find the runs in a folder, with their progress and their evaluations."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from uaeval.config import RESPONSES
from uaeval.errors import StorageError
from uaeval.evaluation.evaluation import SCORES, read_scores
from uaeval.evaluation.manifest import EvaluationManifest, read_manifest
from uaeval.records import Score
from uaeval.run_folder import Manifest, RunFolder
from uaeval.storage import storage_errors

T = TypeVar("T")

DEPTH = 4
"""Levels of subfolders that are searched."""
_MANIFEST = "manifest.json"
_WRITTEN = (_MANIFEST, SCORES, RESPONSES, "responses.sqlite", "responses.sqlite-wal")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationEntry:
    """An evaluation in the list."""

    id: str
    folder: Path
    changed: float
    """When a file was last written, in seconds since 1970."""
    manifest: EvaluationManifest
    scores: tuple[Score, ...]
    """Empty before the evaluation has ended."""
    responses: int
    """Number of responses so far."""
    ended: bool
    """Whether the evaluation has a report."""
    sweep: str
    """The sweep that the evaluation is a cell of; empty if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEntry:
    """A run in the list."""

    id: str
    folder: Path
    changed: float
    manifest: Manifest
    name: str
    """The path relative to the searched folder."""
    evaluations: tuple[EvaluationEntry, ...]
    has_queries: bool
    """Whether the dataset exists."""
    progress: Mapping[str, tuple[int, int]]
    """Selected queries (before the selection, proven ones) and quota, by category."""


def find_runs(folder: Path) -> tuple[list[RunEntry], list[str]]:
    """Return the runs in `folder`, down to `DEPTH` levels of subfolders, and error messages.

    Runs come first that were written last, evaluations included, to the minute. Symbolic links are
    not followed, and folders whose name begins with a dot are left out.
    """
    problems = list[str]()
    runs = _readable(lambda path: _run(path, folder, problems), _run_folders(folder), problems)
    return sorted(
        runs, key=lambda run: -max([run.changed, *(x.changed for x in run.evaluations)]) // 60
    ), problems


def _readable(
    read: Callable[[Path], T], folders: Iterable[Path], problems: list[str]
) -> Iterator[T]:
    """Yield the result of `read` for each folder; append errors to `problems`."""
    for path in folders:
        try:
            yield read(path)
        except StorageError as error:
            problems.append(str(error))


def _run_folders(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        path = Path(place)
        if _MANIFEST in files:
            folders.clear()
            yield path
        elif len(path.relative_to(folder).parts) >= DEPTH:
            folders.clear()
        else:
            folders[:] = sorted(name for name in folders if not name.startswith("."))


def _run(path: Path, root: Path, problems: list[str]) -> RunEntry:
    manifest = _read(path / _MANIFEST, Manifest.read)
    folders = (each.parent for each in sorted(path.glob(f"evaluations/*/{_MANIFEST}")))
    name = path.relative_to(root).as_posix()
    # before the selection, the proven queries
    proven = manifest.stages.get("verify", {})
    written = manifest.selected or {name: count.kept for name, count in proven.items()}
    return RunEntry(
        id=_id(path, root),
        folder=path,
        changed=_changed(path),
        manifest=manifest,
        name=path.resolve().name if name == "." else name,
        evaluations=tuple(_readable(lambda each: _evaluation(each, root), folders, problems)),
        has_queries=RunFolder(path).queries_path.exists(),
        progress={
            category: (min(asked, written.get(category, 0)), asked)
            for category, asked in manifest.asked.items()
        },
    )


def _evaluation(path: Path, root: Path) -> EvaluationEntry:
    manifest = _read(path / _MANIFEST, read_manifest)
    ended = manifest.status in {"lacking", "complete"}
    return EvaluationEntry(
        id=_id(path, root),
        folder=path,
        changed=_changed(path),
        manifest=manifest,
        scores=_read(path / SCORES, read_scores) if ended else (),
        responses=manifest.responses if ended else _lines(path / RESPONSES),
        ended=ended,
        sweep=manifest.sweep or "",
    )


def _id(path: Path, root: Path) -> str:
    """Return an id for URLs, which reveals no path and leads only to folders that were found."""
    return hashlib.sha256(os.fsencode(path.relative_to(root))).hexdigest()[:12]


def _changed(path: Path) -> float:
    times = [0.0]
    for name in _WRITTEN:
        with suppress(FileNotFoundError):
            times.append((path / name).stat().st_mtime)
    return max(times)


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
