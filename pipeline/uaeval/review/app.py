"""The web application of the review page."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from uaeval.categories.registry import categories
from uaeval.errors import ConfigError, UsageError
from uaeval.records import Metric
from uaeval.review.sample import Item
from uaeval.review.tasks import Decision, Task, results
from uaeval.serving import file_route
from uaeval.storage import first_problem


def review_app(
    run: str, tasks: Sequence[Task], *, blind: bool, home: str = "", source: str = ""
) -> Starlette:
    """Return the application for the `tasks` of a run.

    Its page links to `home`, the list of runs, and to `source`, the page of the queries, unless
    they are empty. `RequestGuard` puts the annotator into the state of each request.
    """
    definitions = {spec.title: spec.definition for spec in categories()}
    about = {"run": run, "blind": blind, "home": home, "source": source, "definitions": definitions}
    view = _RunView(tasks, about)
    page = Path(__file__).with_name("page")
    item = "/api/tasks/{task:int}/items/{item:int}"
    return Starlette(
        routes=[
            file_route("/", page / "index.html"),
            *(file_route(f"/{path.name}", path) for path in sorted(page.iterdir())),
            Route("/api/review", view.overview),
            Route("/api/tasks/{task:int}/results", view.results),
            Route("/api/tasks/{task:int}/undo", view.undo, methods=["POST"]),
            Route(item, view.item),
            Route(f"{item}/label", view.label, methods=["POST"]),
            Route(f"{item}/settle", view.settle, methods=["POST"]),
        ],
        exception_handlers=dict.fromkeys((HTTPException, UsageError), _error_response),
    )


class _RunView:
    def __init__(self, tasks: Sequence[Task], about: Mapping[str, object]) -> None:
        self._tasks = tasks
        self._about = about
        """Facts about the run and the page, for the page."""

    async def overview(self, request: Request) -> Response:
        annotator = request.state.annotator
        tasks = [_overview(task, annotator) for task in self._tasks]
        return _json({**self._about, "annotator": annotator, "tasks": tasks})

    async def item(self, request: Request) -> Response:
        return _json(self._view_of(*self._item(request), request.state.annotator))

    async def label(self, request: Request) -> Response:
        task, item = self._item(request)
        task.record(item, request.state.annotator, await _body(request))
        return _json(self._view_of(task, item, request.state.annotator))

    async def undo(self, request: Request) -> Response:
        """Undo the annotator's last step; return the index of its item."""
        task, annotator = self._task(request), request.state.annotator
        undone = task.undo(annotator)
        index = next((at for at, item in enumerate(task.items) if item.id == undone), None)
        items = _overview(task, annotator)["items"]
        return _json({"undone": undone is not None, "place": index, "items": items})

    async def results(self, request: Request) -> Response:
        return _json(results(self._task(request), request.state.annotator))

    async def settle(self, request: Request) -> Response:
        """Resolve a disagreement, which needs the whole sample to be labelled."""
        task, item = self._item(request)
        annotator = request.state.annotator
        if not task.finished(annotator):
            raise HTTPException(403, "label your whole sample first")
        task.record(item, annotator, await _body(request), settles=True)
        return _json(results(task, annotator))

    def _task(self, request: Request) -> Task:
        place: int = request.path_params["task"]
        if place >= len(self._tasks):
            raise HTTPException(404, "no such task")
        return self._tasks[place]

    def _item(self, request: Request) -> tuple[Task, Item]:
        task, place = self._task(request), request.path_params["item"]
        if place >= len(task.items):
            raise HTTPException(404, "no such item")
        return task, task.items[place]

    def _view_of(self, task: Task, item: Item, annotator: str) -> dict[str, object]:
        label = task.own(annotator, item.id)
        shown = asdict(item)
        del shown["inclusion_probability"]
        shown |= shown.pop("instructions")
        if label is None and self._about["blind"]:
            shown |= {"opinions": None, "id": _name(item)}
        category = getattr(label, "category", None)
        own_label = label and {"word": label.word, "reason": label.reason, "category": category}
        return {**shown, "label": own_label}


def _overview(task: Task, annotator: str) -> dict[str, object]:
    labels = ((item, task.own(annotator, item.id)) for item in task.items)
    words = dict.fromkeys(
        choice["word"] for item in task.items for choice in item.instructions["choices"]
    )
    return {
        "title": task.title,
        "of": len(task.kinds),
        "words": [*words],
        "items": [
            {
                "id": _name(item),
                "group": item.group,
                "question": item.question,
                "word": label and label.word,
            }
            for item, label in labels
        ],
    }


def _name(item: Item) -> str:
    """Return the item's id; empty where the category, which it contains, must not be seen."""
    return "" if item.kind in {Metric.VERDICT, Metric.CORRECT} else item.id


async def _body(request: Request) -> Decision:
    if request.headers.get("content-type", "").split(";")[0] != "application/json":
        raise HTTPException(415, "send application/json")
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > 65_536:
            raise HTTPException(413, "the request is too long")
    try:
        return Decision.model_validate_json(bytes(body))
    except ValidationError as error:
        raise HTTPException(422, first_problem(error).strip()) from error


def _json(value: Mapping[str, object], status: int = 200) -> Response:
    """Return a JSON response in ASCII, which can represent lone surrogates."""
    return Response(json.dumps(value), status, media_type="application/json")


async def _error_response(_: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        return _json({"error": error.detail}, error.status_code)
    return _json({"error": str(error)}, 400 if isinstance(error, ConfigError) else 507)
