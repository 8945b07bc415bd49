"""LangSmith: one example a line, for `Client.create_examples`."""

from collections.abc import Iterator
from pathlib import Path

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import expected_behaviour, facts, rubric
from uaeval.formats.given import each_line, object_of, query_of
from uaeval.formats.output import write_lines
from uaeval.types import Query


def write(dataset: Dataset, place: Path) -> None:
    """Write one example a line."""
    write_lines(place, (_example(query) for query in dataset))


def _example(query: Query) -> dict[str, object]:
    return {
        "inputs": {"question": query.question},
        "outputs": {
            "answer": query.reference_answer,
            "expected_behaviour": expected_behaviour(query),
            "rubric": rubric(query),
        },
        "metadata": facts(query),
        "split": "answerable" if query.answerable else "unanswerable",
    }


def read(place: Path) -> Iterator[Query]:
    """Read examples; one without a category needs an `answer` among its outputs."""
    for where, example in each_line(place):
        parts = (object_of(example.get(name) or {}, where) for name in ("inputs", "outputs"))
        known = object_of(example.get("metadata") or {}, where)
        merged: dict[str, object] = {}
        for part in (*parts, known):
            merged |= part
        yield query_of(merged, where)
