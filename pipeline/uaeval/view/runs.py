"""Find the runs in a folder, with the progress of the runs and their evaluations."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from uaeval.errors import StorageError
from uaeval.evaluation.evaluation import SCORES, read_scores
from uaeval.evaluation.manifest import EvaluationManifest, read_manifest
from uaeval.evaluation.run import RESPONSES
from uaeval.records import Score
from uaeval.run_folder import Manifest, RunFolder

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
    manifest: EvaluationManifest
    scores: tuple[Score, ...]
    """Empty before the evaluation has ended."""
    responses: int
    """Number of responses so far."""
    changed: float
    """When a file was last written, in seconds since 1970."""
    ended: bool
    """Whether the evaluation has a report."""
    sweep: str
    """The sweep that the evaluation is a cell of; empty if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEntry:
    """A run in the list."""

    id: str
    name: str
    """The path relative to the searched folder."""
    folder: Path
    manifest: Manifest
    evaluations: tuple[EvaluationEntry, ...]
    changed: float
    has_queries: bool
    """Whether the dataset exists."""

    @property
    def progress(self) -> Mapping[str, tuple[int, int]]:
        """Selected queries (before the selection, proven ones) and quota, by category."""
        proven = self.manifest.stages.get("verify", {})
        return {
            name: (
                self.manifest.chosen.get(name, 0)
                if self.manifest.chosen
                else min(asked, proven[name].kept if name in proven else 0),
                asked,
            )
            for name, asked in self.manifest.asked.items()
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """The runs in a folder."""

    runs: tuple[RunEntry, ...]
    problems: tuple[str, ...]
    """Error messages about folders with a manifest that cannot be read."""


def find_runs(folder: Path) -> Runs:
    """Return the runs in `folder`, down to `DEPTH` levels of subfolders.

    Symbolic links are not followed, and folders whose name begins with a dot are left out.
    """
    problems = list[str]()
    runs = _readable(lambda path: _run(path, folder, problems), _run_folders(folder), problems)
    ordered = sorted(runs, key=lambda run: -run.changed)
    return Runs(runs=tuple(ordered), problems=tuple(problems))


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
    return RunEntry(
        id=_id(path, root),
        name=path.resolve().name if name == "." else name,
        folder=path,
        manifest=manifest,
        evaluations=tuple(_readable(lambda each: _evaluation(each, root), folders, problems)),
        changed=_changed(path),
        has_queries=RunFolder(path).queries_path.exists(),
    )


def _evaluation(path: Path, root: Path) -> EvaluationEntry:
    manifest = _read(path / _MANIFEST, read_manifest)
    ended = manifest.status in {"lacking", "complete"}
    return EvaluationEntry(
        id=_id(path, root),
        folder=path,
        manifest=manifest,
        scores=_read(path / SCORES, read_scores) if ended else (),
        responses=manifest.responses if ended else _lines(path / RESPONSES),
        changed=_changed(path),
        ended=ended,
        sweep=manifest.sweep or "",
    )


def _lines(path: Path) -> int:
    if not path.exists():
        return 0
    with path.open("rb") as file:
        return sum(1 for _ in file)


def _id(path: Path, root: Path) -> str:
    """Return an id for URLs, which reveals no path and leads only to folders that were found."""
    return hashlib.sha256(os.fsencode(path.relative_to(root))).hexdigest()[:12]


def _changed(path: Path) -> float:
    """Return when a run or an evaluation last wrote a file, in seconds since 1970."""
    times = [0.0]
    for name in _WRITTEN:
        with suppress(FileNotFoundError):
            times.append((path / name).stat().st_mtime)
    return max(times)


def _read(path: Path, reader: Callable[[Path], T | None]) -> T:
    """Return the content of a file, from a cache if the file has not changed.

    Raises:
        StorageError: the file cannot be read, or was written by another version of uaeval.
    """
    try:
        stat = path.stat()
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror}") from error
    value: T | None = _cached(path, reader, stat.st_mtime_ns, stat.st_size)
    if value is None:
        raise StorageError(f"{path} was deleted")
    return value


@lru_cache(maxsize=10_000)
def _cached(path: Path, reader: Callable[[Path], T | None], _mtime: int, _size: int) -> T | None:
    return reader(path)
