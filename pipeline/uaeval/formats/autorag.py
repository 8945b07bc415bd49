"""AutoRAG: queries and passages in Parquet, and a script to run its pipelines."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from uaeval.formats.dataset import Dataset
from uaeval.formats.format import Format
from uaeval.formats.query_fields import expected_behaviour, kind, rubric, side
from uaeval.formats.tools import write_templates

_TEXT: Final = pa.string()
_QUERIES: Final = pa.schema(
    {
        **{name: _TEXT for name in ("qid", "query", "side", "category", "reason", "rubric")},
        "retrieval_gt": pa.list_(pa.list_(_TEXT)),
        "generation_gt": pa.list_(_TEXT),
    }
)
_PASSAGES: Final = pa.schema(
    {"doc_id": _TEXT, "contents": _TEXT, "metadata": pa.struct({"title": _TEXT})}
)


def write(dataset: Dataset, place: Path) -> None:
    """Write the folder; an unanswerable query has no relevant passage."""
    place.mkdir(parents=True)
    _write_rows(place / "qa.parquet", _QUERIES, _queries(dataset))
    _write_rows(place / "corpus.parquet", _PASSAGES, _passages(dataset))
    write_templates("autorag", place, shared=["judge.py"], name=dataset.name)


def _write_rows(path: Path, schema: pa.Schema, rows: Iterator[dict[str, object]]) -> None:
    with pq.ParquetWriter(path, schema) as writer:
        while batch := list(islice(rows, 6_000)):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))


def _queries(dataset: Dataset) -> Iterator[dict[str, object]]:
    for query in dataset:
        yield {
            "qid": query.id,
            "query": query.question,
            "side": side(query),
            "category": kind(query),
            "reason": query.reason,
            "rubric": rubric(query),
            "retrieval_gt": [dataset.source_ids(query) if query.answerable else []],
            "generation_gt": [query.reference_answer or expected_behaviour(query)],
        }


def _passages(dataset: Dataset) -> Iterator[dict[str, object]]:
    for chunk in dataset.corpus():
        title = " › ".join(part for part in (chunk.title, chunk.heading) if part)
        yield {"doc_id": chunk.id, "contents": chunk.text, "metadata": {"title": title}}


FORMAT = Format(
    name="autorag",
    purpose="AutoRAG: `python run_autorag.py`, its pipelines scored by a judge on both sides",
    loses=(
        "evidence and checks; AutoRAG writes emoji as words; its own generation metrics compare "
        "an unanswerable query with the expected behaviour: leave them out"
    ),
    write=write,
    folder=True,
    needs_passages=True,
)
