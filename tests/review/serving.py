"""A run to review, and the real server over it, on a thread."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread

import httpx
from starlette.types import ASGIApp
from tests.cli.finished_run import TEXTS, write_finished_run
from tests.evaluation.folders import write_evaluation
from tests.evaluation.records import both, control, response, unanswerable

from uaeval.categories.names import BUILT_IN
from uaeval.records import Category, Context, Query
from uaeval.review.app import review_app
from uaeval.review.tasks import open_tasks
from uaeval.run_folder import RunFolder
from uaeval.serving import PageServer
from uaeval.storage import write_journal


def write_run(folder: Path, pairs: int = 5) -> list[Query]:
    """Write a run of pairs in turn over the categories, with one evaluation, `rag`."""
    write_finished_run(folder)
    categories = list(BUILT_IN)
    queries = [
        query
        for number in range(pairs)
        for query in _pair(number, categories[number % len(categories)])
    ]
    context = Context(id="doc-0.md#0", text=TEXTS[0])
    said = [replace(response(query), retrieved_contexts=(context,)) for query in queries]
    judgements = [
        judgement
        for query in queries
        for judgement in both(query, "refused", "no" if query.answerable else "yes")
    ]
    write_evaluation(folder, "rag", queries, said, judgements)
    write_journal(RunFolder(folder).queries_path, Query, queries)
    return queries


def _pair(number: int, category: Category) -> tuple[Query, Query]:
    place = f"doc-{number % len(TEXTS)}.md"
    question = f"How many hours may I borrow on day {number}?"
    twin = f"How many hours of sick leave may I borrow on day {number}?"
    return (
        unanswerable(number, category, document=place, question=question),
        control(number, category, document=place, question=twin),
    )


@contextmanager
def serving(app: ASGIApp, annotators: Sequence[str] = ("anna",)) -> Iterator[Mapping[str, str]]:
    """Serve an application; yield the address of each annotator."""
    server = PageServer(app, annotators)
    thread = Thread(target=server.run)
    thread.start()
    try:
        yield server.addresses
    finally:
        server.stop()
        thread.join()


@contextmanager
def reviewing(
    path: Path,
    annotators: Sequence[str] = ("anna",),
    *,
    size: int = 10,
    seed: int = 0,
    blind: bool = True,
) -> Iterator[Mapping[str, str]]:
    """Serve a run; yield the address of each annotator."""
    app = review_app(path.name, open_tasks(path, size, seed), blind=blind)
    with serving(app, annotators) as addresses:
        yield addresses


def client(address: str) -> httpx.Client:
    """Return a client that asks as the page would."""
    origin = "/".join(address.split("/")[:3])
    return httpx.Client(base_url=address, headers={"Origin": origin}, trust_env=False)
