"""Reading, scoring and comparing keep none of a response's texts in memory."""

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.evaluation.folders import write_evaluation
from tests.evaluation.records import both, control, response, unanswerable

from uaeval.categories.names import BUILT_IN
from uaeval.evaluation.compare import compare
from uaeval.evaluation.evaluation import Evaluation, read_evaluation
from uaeval.evaluation.metrics.scores import item_scores
from uaeval.records import Context

FEW, MANY = 500, 2000
NAMES = ("old", "newer")
CONTEXTS = tuple(Context(id=f"doc#{number}", text="word " * 60) for number in range(5))


def _write(dataset: Path, name: str, count: int) -> None:
    """Write an evaluation of `count` responses with contexts."""
    queries = [
        query
        for number in range(count // 2)
        for category in (BUILT_IN[number % len(BUILT_IN)],)
        for make in (unanswerable, control)
        for query in (make(number, category, document=f"handbook/chapter-{number % 50}.md"),)
    ]
    responses = [
        replace(response(one, "words " * 60), retrieved_contexts=CONTEXTS) for one in queries
    ]
    judgements = [
        replace(judgement, rationale="words " * 60)
        for place, query in enumerate(queries)
        for judgement in both(query, "refused", "no" if place % len(name) else "yes")
    ]
    write_evaluation(dataset, name, queries, responses, judgements)


def _growth(work: Callable[[Path], object], few: Path, many: Path) -> float:
    """Return by how many bytes the peak of `work` grows with each response."""
    work(many)  # what is made once, such as the parser's cache of strings
    peaks = []
    for folder in (few, many):
        tracemalloc.start()
        work(folder)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    return (peaks[1] - peaks[0]) / (MANY - FEW)


def _read(dataset: Path) -> Evaluation:
    return read_evaluation(dataset / "evaluations" / "old")


def _score(dataset: Path) -> object:
    return item_scores(_read(dataset).items)


def _compare(dataset: Path) -> object:
    return compare([read_evaluation(dataset / "evaluations" / name) for name in NAMES])


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    few, many = (tmp_path_factory.mktemp(str(count)) for count in (FEW, MANY))
    for dataset, count in ((few, FEW), (many, MANY)):
        for name in NAMES:
            _write(dataset, name, count)
    return few, many


@pytest.mark.parametrize(("work", "most"), [(_read, 600), (_score, 600), (_compare, 1000)])
def test_memory_does_not_grow_with_the_texts(
    datasets: tuple[Path, Path], work: Callable[[Path], object], most: int
) -> None:
    assert _growth(work, *datasets) < most
