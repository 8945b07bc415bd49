"""Ragas: samples of `EvaluationDataset`, one a line."""

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import kind, text_facts
from uaeval.formats.format import Format
from uaeval.formats.output import lines_of
from uaeval.formats.reading import from_lines, part_of
from uaeval.types import Query


def _sample(query: Query, dataset: Dataset) -> dict[str, object]:
    """Return a `SingleTurnSample`; it drops unknown keys, so `rubrics` holds the facts."""
    sample: dict[str, object] = {
        "user_input": query.question,
        "rubrics": text_facts(query),
        "query_style": kind(query),
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
    return {**sample, **part_of(sample, "rubrics", where), "question": sample.get("user_input")}


FORMAT = Format(
    name="ragas",
    purpose="Ragas `EvaluationDataset.from_jsonl(FILE)`",
    loses=(
        "evidence and checks; a sample has no id or metadata, so that id, category, reason, "
        "expected behaviour and rubric stand in `rubrics`. Ragas' answer relevancy scores "
        "every refusal 0: leave that metric out for unanswerable queries"
    ),
    write=lines_of(_sample),
    read=from_lines(_values),
    keys=frozenset({"user_input"}),
)
