"""The runs below a folder, with how far they and their evaluations are."""

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
"""Folders below the one that is looked through."""
_MANIFEST = "manifest.json"
_WRITTEN = (_MANIFEST, SCORES, RESPONSES, "responses.sqlite", "responses.sqlite-wal")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationEntry:
    """An evaluation in the list."""

    id: str
    folder: Path
    manifest: EvaluationManifest
    scores: tuple[Score, ...]
    """None before the evaluation has ended."""
    responses: int
    """Those that it holds so far."""
    changed: float
    """When it last wrote something; seconds since 1970."""
    ended: bool
    """Whether it has a report."""
    sweep: str
    """The sweep that it is a cell of; empty if none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEntry:
    """A run in the list."""

    id: str
    name: str
    """Its path below the folder that was looked through."""
    folder: Path
    manifest: Manifest
    evaluations: tuple[EvaluationEntry, ...]
    changed: float
    has_queries: bool
    """Whether the dataset is written."""

    @property
    def progress(self) -> Mapping[str, tuple[int, int]]:
        """By category: queries chosen, or proven while the run goes on, and queries asked."""
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
    """What is below a folder."""

    runs: tuple[RunEntry, ...]
    problems: tuple[str, ...]
    """Why the other folders with a manifest are not in the list."""


def find_runs(folder: Path) -> Runs:
    """Read the manifests of the runs in `folder` and up to `DEPTH` folders below it.

    Links to other folders are not followed, and folders whose name begins with a dot are left out.
    """
    problems = list[str]()
    runs = _readable(lambda path: _run(path, folder, problems), _run_folders(folder), problems)
    ordered = sorted(runs, key=lambda run: -run.changed)
    return Runs(runs=tuple(ordered), problems=tuple(problems))


def _readable(
    read: Callable[[Path], T], folders: Iterable[Path], problems: list[str]
) -> Iterator[T]:
    """Yield what `read` returns of each folder; note in `problems` why others cannot be read."""
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
    """Return an id for addresses: they hold no path, and lead to no folder but those found."""
    return hashlib.sha256(os.fsencode(path.relative_to(root))).hexdigest()[:12]


def _changed(path: Path) -> float:
    """Return when what a run or an evaluation writes while it goes on was last written."""
    times = [0.0]
    for name in _WRITTEN:
        with suppress(FileNotFoundError):
            times.append((path / name).stat().st_mtime)
    return max(times)


def _read(path: Path, reader: Callable[[Path], T | None]) -> T:
    """Read a file, or return what was read of it before if it has not changed.

    Raises:
        StorageError: it cannot be read, or was written by another version of the program.
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
