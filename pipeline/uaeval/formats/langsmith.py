"""LangSmith: examples, one a line, and a script that runs an experiment on them."""

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import expected_behaviour, facts, rubric
from uaeval.formats.format import Format
from uaeval.formats.output import lines_of
from uaeval.formats.reading import from_lines, part_of
from uaeval.formats.tool_folder import data_or_folder, tool_folder
from uaeval.records import Query

DATA = "langsmith.jsonl"


def _example(query: Query, dataset: Dataset) -> dict[str, object]:
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


def _values(example: dict[str, object], where: str) -> dict[str, object]:
    """Return a query's fields; without a category, the outputs need an `answer`."""
    inputs, outputs, metadata = (
        part_of(example, name, where) for name in ("inputs", "outputs", "metadata")
    )
    return {**inputs, **outputs, **metadata}


FORMAT = Format(
    name="langsmith",
    purpose="LangSmith: `python run_langsmith.py`, an experiment with a judge",
    loses="evidence, checks and passages",
    write=tool_folder("langsmith", DATA, lines_of(_example)),
    folder=True,
    read=data_or_folder(DATA, from_lines(_values)),
    keys=frozenset({"inputs"}),
    contains=DATA,
)
