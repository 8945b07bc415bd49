"""Ragas: one `SingleTurnSample` a line, for `EvaluationDataset.from_jsonl`."""

from collections.abc import Iterator
from pathlib import Path

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import kind, told
from uaeval.formats.given import each_line, object_of, query_of
from uaeval.formats.output import write_lines
from uaeval.types import Query


def write(dataset: Dataset, place: Path) -> None:
    """Write one sample a line; a sample keeps no other keys than its own, so `rubrics` has all."""
    write_lines(place, (_sample(query, dataset) for query in dataset))


def _sample(query: Query, dataset: Dataset) -> dict[str, object]:
    sample: dict[str, object] = {
        "user_input": query.question,
        "rubrics": told(query),
        "query_style": kind(query),
    }
    if query.answerable:
        sources = dataset.sources(query)
        texts = [source.text for source in sources if source.text is not None]
        sample["reference"] = query.reference_answer
        sample["reference_context_ids"] = [source.chunk_id for source in sources]
        sample |= {"reference_contexts": texts} if texts else {}
    return sample


def read(place: Path) -> Iterator[Query]:
    """Read samples; those of other makers need a category in `rubrics` or a `reference`."""
    for where, sample in each_line(place):
        rubrics = object_of(sample.get("rubrics") or {}, where)
        yield query_of({**sample, **rubrics, "question": sample.get("user_input")}, where)
