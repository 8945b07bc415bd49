"""Inspect: one sample a line, for `json_dataset`."""

from collections.abc import Iterator
from pathlib import Path

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import expected_behaviour, facts
from uaeval.formats.given import each_line, object_of, query_of
from uaeval.formats.output import write_lines
from uaeval.types import Query


def write(dataset: Dataset, place: Path) -> None:
    """Write one sample a line; its target is what a model grader compares with."""
    write_lines(place, (_sample(query) for query in dataset))


def _sample(query: Query) -> dict[str, object]:
    return {
        "id": query.id,
        "input": query.question,
        "target": query.reference_answer or expected_behaviour(query),
        "metadata": facts(query),
    }


def read(place: Path) -> Iterator[Query]:
    """Read samples; one without a category is a question whose answer is its target."""
    for where, sample in each_line(place):
        known = object_of(sample.get("metadata") or {}, where)
        answer = None if known.get("category") else sample.get("target")
        yield query_of({"reference_answer": answer, **sample, **known}, where)
