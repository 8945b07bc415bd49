"""Inspect: samples of `json_dataset`, one a line."""

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import expected_behaviour, facts
from uaeval.formats.format import Format
from uaeval.formats.output import lines_of
from uaeval.formats.reading import from_lines, part_of
from uaeval.types import Query


def _sample(query: Query, dataset: Dataset) -> dict[str, object]:
    """Return a sample; a model grader compares with its target."""
    return {
        "id": query.id,
        "input": query.question,
        "target": query.reference_answer or expected_behaviour(query),
        "metadata": facts(query),
    }


def _values(sample: dict[str, object], where: str) -> dict[str, object]:
    """Return a query's fields; without a category, the target is the reference answer."""
    metadata = part_of(sample, "metadata", where)
    answer = None if metadata.get("category") else sample.get("target")
    return {"reference_answer": answer, **sample, **metadata}


FORMAT = Format(
    name="inspect",
    purpose="Inspect `json_dataset(FILE)`; the target is for a model grader",
    loses="evidence, checks and passages; the target of an unanswerable query is its behaviour",
    write=lines_of(_sample),
    read=from_lines(_values),
    keys=frozenset({"input", "target"}),
)
