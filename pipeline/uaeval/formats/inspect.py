"""Inspect: samples of `json_dataset`, and two tasks with a judge."""

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import facts, rubric
from uaeval.formats.format import Format
from uaeval.formats.output import lines_of
from uaeval.formats.reading import from_lines, part_of
from uaeval.formats.tool_folder import data_or_folder, tool_folder
from uaeval.records import Query

DATA = "inspect.jsonl"


def _sample(query: Query, dataset: Dataset) -> dict[str, object]:
    """Return a sample; a model grader compares with its target."""
    return {
        "id": query.id,
        "input": query.question,
        "target": query.reference_answer or rubric(query),
        "metadata": facts(query),
    }


def _values(sample: dict[str, object], where: str) -> dict[str, object]:
    """Return a query's fields; without metadata, the target is the reference answer."""
    metadata = part_of(sample, "metadata", where)
    return {"reference_answer": sample.get("target"), **sample, **metadata}


FORMAT = Format(
    name="inspect",
    purpose="Inspect: `inspect eval inspect_tasks.py`, two tasks with a model-graded scorer",
    loses="evidence, checks and passages; the target of an unanswerable query is its rubric",
    write=tool_folder("inspect", DATA, lines_of(_sample)),
    folder=True,
    read=data_or_folder(DATA, from_lines(_values)),
    keys=frozenset({"input", "target"}),
    contains=DATA,
)
