"""The web application with the list of runs, pages of datasets and evaluations, and reviews."""

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from uaeval.errors import StorageError, UsageError
from uaeval.evaluation.evaluation import SCORES, read_evaluation, read_scores
from uaeval.evaluation.manifest import read_manifest
from uaeval.evaluation.metrics.registry import HEADLINE, JOINT
from uaeval.evaluation.run import RESPONSES
from uaeval.report import tables
from uaeval.report.html.page import report_page
from uaeval.report.text import environment
from uaeval.resources import PACKAGE
from uaeval.review.app import review_app
from uaeval.review.tasks import Task, open_tasks
from uaeval.run_folder import Manifest, RunFolder
from uaeval.serving import file_route
from uaeval.storage import storage_errors

HOME = "../"
"""The relative address of the list of runs, from the other pages."""
_FILES = {
    "/report.css": "report/html/assets/page.css",
    "/view.css": "view/page/view.css",
    "/view.js": "view/page/view.js",
}
_OWN_POLICY = {"Content-Security-Policy": "frame-ancestors 'none'"}
"""Headers of a page that has its own policy for scripts and styles in its HTML."""
T = TypeVar("T")
Entry: TypeAlias = dict[str, Any]
"""What the list shows of a run or an evaluation."""

DEPTH = 4
"""Levels of subfolders that are searched."""
_MANIFEST = "manifest.json"
_WRITTEN = (_MANIFEST, SCORES, RESPONSES, "responses.sqlite", "responses.sqlite-wal")


def find_runs(folder: Path) -> tuple[list[Entry], list[str]]:
    """Return the runs in `folder`, down to `DEPTH` levels of subfolders, and error messages.

    Symbolic links are not followed, and folders whose name begins with a dot are left out.
    """
    problems = list[str]()
    runs = _readable(lambda path: _run(path, folder, problems), _run_folders(folder), problems)
    return sorted(runs, key=lambda run: -run["changed"]), problems


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


def _run(path: Path, root: Path, problems: list[str]) -> Entry:
    manifest = _read(path / _MANIFEST, Manifest.read)
    folders = (each.parent for each in sorted(path.glob(f"evaluations/*/{_MANIFEST}")))
    name = path.relative_to(root).as_posix()
    # before the selection, the proven queries
    proven = manifest.stages.get("verify", {})
    written = manifest.chosen or {name: count.kept for name, count in proven.items()}
    return {
        **_entry(path, root),
        "name": path.resolve().name if name == "." else name,
        "manifest": manifest,
        "evaluations": [*_readable(lambda each: _evaluation(each, root), folders, problems)],
        "has_queries": RunFolder(path).queries_path.exists(),
        "progress": {
            category: (min(asked, written.get(category, 0)), asked)
            for category, asked in manifest.asked.items()
        },
    }


def _evaluation(path: Path, root: Path) -> Entry:
    manifest = _read(path / _MANIFEST, read_manifest)
    ended = manifest.status in {"lacking", "complete"}
    return {
        **_entry(path, root),
        "manifest": manifest,
        "scores": _read(path / SCORES, read_scores) if ended else (),
        "responses": manifest.responses if ended else _lines(path / RESPONSES),
        "ended": ended,
        "sweep": manifest.sweep or "",
    }


def _entry(path: Path, root: Path) -> Entry:
    """Return folder, last change in seconds since 1970, and an id for URLs.

    The id reveals no path, and leads only to folders that were found.
    """
    times = [0.0]
    for name in _WRITTEN:
        with suppress(FileNotFoundError):
            times.append((path / name).stat().st_mtime)
    digest = hashlib.sha256(os.fsencode(path.relative_to(root))).hexdigest()
    return {"id": digest[:12], "folder": path, "changed": max(times)}


def _lines(path: Path) -> int:
    if not path.exists():
        return 0
    with path.open("rb") as file:
        return sum(1 for _ in file)


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


def view_app(folder: Path, *, size: int = 100, seed: int = 0) -> Starlette:
    """Return the application for the runs in `folder`.

    A review shows samples of `size` items, drawn with `seed`, as in `uaeval review`.
    """
    view = _View(folder, partial(open_tasks, size=size, seed=seed))
    app = Starlette(
        routes=[
            *(file_route(address, PACKAGE / path) for address, path in _FILES.items()),
            Route("/", partial(view.rendered, "index")),
            Route("/runs", partial(view.rendered, "runs")),  # the part that changes
            Route("/datasets/{run}", view.dataset),
            Route("/reports/{evaluations}", view.report),
            Mount("/review/{run}", view.review),
        ],
        exception_handlers={HTTPException: _error_page, UsageError: _error_page},
    )
    app.router.redirect_slashes = False  # it would redirect to an address without the token
    return app


class _View:
    """The endpoints for the runs in a folder; files are read on each request."""

    def __init__(self, folder: Path, open_run: Callable[[Path], Sequence[Task]]) -> None:
        self._folder = folder
        self._open = open_run
        self._reviews: dict[str, ASGIApp] = {}
        """Review applications by id of the run; the first page of a review opens it again."""

    def dataset(self, request: Request) -> Response:
        run = self._run(request.path_params["run"])
        folder, review = RunFolder(run["folder"]), f"{HOME}review/{run['id']}/"
        return HTMLResponse(report_page((), folder, home=HOME, review=review), headers=_OWN_POLICY)

    def report(self, request: Request) -> Response:
        ids = request.path_params["evaluations"].split("+")
        runs, _ = find_runs(self._folder)
        known = {entry["id"]: (run, entry) for run in runs for entry in run["evaluations"]}
        if not known.keys() >= set(ids):
            raise HTTPException(404, "there is no such evaluation any more")
        evaluations = [read_evaluation(known[id_][1]["folder"]) for id_ in ids]
        review = f"{HOME}review/{known[ids[0]][0]['id']}/"
        return HTMLResponse(report_page(evaluations, home=HOME, review=review), headers=_OWN_POLICY)

    async def review(self, scope: Scope, receive: Receive, send: Send) -> None:
        run_id = scope["path_params"]["run"]
        if run_id not in self._reviews or scope["path"].endswith(f"/{run_id}/"):
            run = await run_in_threadpool(self._run, run_id)
            tasks = await run_in_threadpool(self._open, run["folder"])
            home, source = f"../{HOME}", f"../{HOME}datasets/{run_id}"
            self._reviews[run_id] = review_app(
                run["name"], tasks, blind=True, home=home, source=source
            )
        await self._reviews[run_id](scope, receive, send)

    def _run(self, run_id: str) -> Entry:
        for run in find_runs(self._folder)[0]:
            if run["id"] == run_id:
                return run
        raise HTTPException(404, "there is no such run any more")

    def rendered(self, name: str, _: Request) -> Response:
        runs, problems = find_runs(self._folder)
        return _html(
            name,
            folder=self._folder.resolve().name,
            runs=runs,
            problems=problems,
            now=time.time(),
            joint=JOINT,
            headline=HEADLINE[1:],
            tables=tables,
        )


def _html(name: str, status: int = 200, **values: object) -> Response:
    template = environment("uaeval.view", "page", html=True).get_template(f"{name}.html.jinja")
    return HTMLResponse(template.render(values), status)


def _error_page(request: Request, error: Exception) -> Response:
    raised = error if isinstance(error, HTTPException) else HTTPException(409, str(error))
    home = HOME * (request.scope["path"].count("/") - 1)
    return _html("error", raised.status_code, message=raised.detail, home=home or "./")
