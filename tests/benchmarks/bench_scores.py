"""Seconds and peak memory of scoring an evaluation from its folder, and of comparing two.

Fewer responses stand beside more: memory that does not grow with texts, which are most of a folder,
stays a fraction of the files read.
"""

import random
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tests.evaluation.folders import write_evaluation
from tests.evaluation.records import both, control, response, unanswerable

from uaeval.categories.names import BUILT_IN
from uaeval.evaluation.compare import compare
from uaeval.evaluation.evaluation import read_evaluation
from uaeval.evaluation.metrics.scores import item_scores
from uaeval.records import Context, Judgement, Query, Response

RESPONSES = (1000, 10_000, 100_000)
DOCUMENTS = 500
CONTEXTS = tuple(Context(id=f"doc#{i}", text="word " * 180) for i in range(5))


def _write(dataset: Path, name: str, count: int) -> Path:
    """Write an evaluation of `count` responses with five contexts each."""
    chance = random.Random(name)
    queries, responses, judgements = list[Query](), list[Response](), list[Judgement]()
    for number in range(count // 2):
        category = BUILT_IN[number % len(BUILT_IN)]
        document = f"doc-{number % DOCUMENTS}"
        for query in (
            unanswerable(number, category, document=document),
            control(number, category, document=document),
        ):
            queries.append(query)
            said = response(query, "words " * 60)
            responses.append(replace(said, retrieved_contexts=CONTEXTS))
            verdict = chance.choice(["refused", "answered"])
            judgements += both(query, verdict, chance.choice(["yes", "no"]))
    return write_evaluation(dataset, name, queries, responses, judgements)


def _measured(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that `work` takes, and the peak of its memory in MB."""
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return seconds, peak


def _score(folder: Path) -> None:
    item_scores(read_evaluation(folder).items)


def _compare(one: Path, other: Path) -> None:
    compare([read_evaluation(one), read_evaluation(other)])


def main() -> None:
    """Print what scoring and comparing take."""
    table = Table(title="Scoring and comparing evaluations read from their folders")
    for column in ("responses", "files, MB", "what", "seconds", "peak, MB"):
        table.add_column(column, justify="right")
    for count in RESPONSES:
        with tempfile.TemporaryDirectory() as place:
            one, other = (_write(Path(place), name, count) for name in ("one", "other"))
            size = sum(path.stat().st_size for path in one.iterdir()) / 1e6
            jobs: dict[str, Callable[[], object]] = {
                "score": partial(_score, one),
                "compare two": partial(_compare, one, other),
            }
            for what, work in jobs.items():
                seconds, peak = _measured(work)
                table.add_row(str(count), f"{size:.0f}", what, f"{seconds:.1f}", f"{peak:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
