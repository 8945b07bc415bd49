"""Ragas: samples of `EvaluationDataset`, and a script that scores each with its own rubrics."""

from functools import cache
from importlib.resources import files

import yaml

from uaeval.categories.registry import category
from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import facts, kind
from uaeval.formats.format import Format
from uaeval.formats.output import lines_of
from uaeval.formats.reading import from_lines, part_of
from uaeval.formats.tool_folder import data_or_folder, tool_folder
from uaeval.records import Query

DATA = "ragas.jsonl"


@cache
def _scales() -> dict[str, dict[str, str]]:
    text = files("uaeval.formats").joinpath("scales.yaml").read_text(encoding="utf-8")
    scales: dict[str, dict[str, str]] = yaml.safe_load(text)
    return scales


def scale(query: Query) -> dict[str, str]:
    """Return what a response to the query is like that scores 1 to 5."""
    if query.category is None:
        answer = query.reference_answer
        given = f"Gives this answer, in any words: “{answer}”."
        fields = {"answer": given if answer else "Answers the question."}
    else:
        spec = category(query.category)
        reason = query.reason or spec.definition
        fields = {"definition": spec.definition, "acceptance": spec.acceptance, "reason": reason}
    scores = _scales()["answerable" if query.answerable else "unanswerable"]
    return {name: text.format(**fields) for name, text in scores.items()}


def _sample(query: Query, dataset: Dataset) -> dict[str, object]:
    """Return a `SingleTurnSample`; `EvaluationDataset` drops `metadata`."""
    sample: dict[str, object] = {
        "user_input": query.question,
        "rubrics": scale(query),
        "query_style": kind(query),
        "metadata": facts(query),
    }
    if query.answerable:
        sources = dataset.sources(query)
        texts = [source.text for source in sources if source.text is not None]
        sample["reference"] = query.reference_answer
        sample["reference_context_ids"] = [source.chunk_id for source in sources]
        sample |= {"reference_contexts": texts} if texts else {}
    return sample


def _values(sample: dict[str, object], where: str) -> dict[str, object]:
    """Return a query's fields; other makers' samples need a category or a `reference`."""
    return {**sample, **part_of(sample, "metadata", where), "question": sample.get("user_input")}


FORMAT = Format(
    name="ragas",
    purpose="Ragas: `python run_ragas.py`, rubrics of 1 to 5 for each query",
    loses=(
        "evidence and checks; `EvaluationDataset` drops `metadata`. Ragas' answer relevancy "
        "scores every refusal 0: leave that metric out for unanswerable queries"
    ),
    write=tool_folder("ragas", DATA, lines_of(_sample)),
    folder=True,
    read=data_or_folder(DATA, from_lines(_values)),
    keys=frozenset({"user_input"}),
    contains=DATA,
)
