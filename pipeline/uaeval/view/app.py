"""The web application with the list of runs, pages of datasets and evaluations, and reviews."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from uaeval.errors import UsageError
from uaeval.evaluation.evaluation import read_evaluation
from uaeval.evaluation.metrics.registry import HEADLINE, JOINT
from uaeval.report import tables
from uaeval.report.html.page import report_page
from uaeval.report.text import environment
from uaeval.resources import PACKAGE
from uaeval.review.app import review_app
from uaeval.review.tasks import Task, open_tasks
from uaeval.run_folder import RunFolder
from uaeval.serving import file_route
from uaeval.view.runs import RunEntry, find_runs

HOME = "../"
"""The relative address of the list of runs, from the other pages."""
_FILES = {
    "/report.css": "report/html/assets/page.css",
    "/scroll.js": "report/html/assets/scroll.js",
    "/view.css": "view/page/view.css",
    "/view.js": "view/page/view.js",
}
_FIGURES = {"joint": JOINT, "headline": HEADLINE[1:], "tables": tables}
_OWN_POLICY = {"Content-Security-Policy": "frame-ancestors 'none'"}
"""Headers of a page that has its own policy for scripts and styles in its HTML."""


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
        folder, review = RunFolder(run.folder), f"{HOME}review/{run.id}/"
        return HTMLResponse(report_page((), folder, home=HOME, review=review), headers=_OWN_POLICY)

    def report(self, request: Request) -> Response:
        ids = request.path_params["evaluations"].split("+")
        runs, _ = find_runs(self._folder)
        known = {entry.id: (run, entry) for run in runs for entry in run.evaluations}
        if not known.keys() >= set(ids):
            raise HTTPException(404, "there is no such evaluation any more")
        evaluations = [read_evaluation(known[id_][1].folder) for id_ in ids]
        review = f"{HOME}review/{known[ids[0]][0].id}/"
        return HTMLResponse(report_page(evaluations, home=HOME, review=review), headers=_OWN_POLICY)

    async def review(self, scope: Scope, receive: Receive, send: Send) -> None:
        run_id = scope["path_params"]["run"]
        if run_id not in self._reviews or scope["path"].endswith(f"/{run_id}/"):
            run = await run_in_threadpool(self._run, run_id)
            tasks = await run_in_threadpool(self._open, run.folder)
            home, source = f"../{HOME}", f"../{HOME}datasets/{run_id}"
            self._reviews[run_id] = review_app(
                run.name, tasks, blind=True, home=home, source=source
            )
        await self._reviews[run_id](scope, receive, send)

    def _run(self, run_id: str) -> RunEntry:
        for run in find_runs(self._folder)[0]:
            if run.id == run_id:
                return run
        raise HTTPException(404, "there is no such run any more")

    def rendered(self, name: str, _: Request) -> Response:
        runs, problems = find_runs(self._folder)
        values = {"runs": runs, "problems": problems, "now": time.time()}
        return _html(name, {"folder": self._folder.resolve().name} | values | _FIGURES)


def _html(name: str, values: Mapping[str, object], status: int = 200) -> Response:
    template = environment("uaeval.view", "page", html=True).get_template(f"{name}.html.jinja")
    return HTMLResponse(template.render(values), status)


def _error_page(request: Request, error: Exception) -> Response:
    raised = error if isinstance(error, HTTPException) else HTTPException(409, str(error))
    home = HOME * (request.scope["path"].count("/") - 1)
    return _html("error", {"message": raised.detail, "home": home or "./"}, raised.status_code)
