"""BEIR: corpus, queries and relevance judgements, for retrieval only."""

import csv
from collections.abc import Iterator
from pathlib import Path

from uaeval.formats.dataset import Dataset
from uaeval.formats.format import Format
from uaeval.formats.output import text_file, write_lines
from uaeval.formats.query_fields import facts


def write(dataset: Dataset, place: Path) -> None:
    """Write the folder: `qrels/test.tsv` has the twins, `qrels/unanswerable.tsv` the others.

    A passage is relevant to a twin that it answers. The passages of an unanswerable query have
    relevance 0, because none of them answers it.
    """
    (place / "qrels").mkdir(parents=True)
    write_lines(place / "corpus.jsonl", _corpus(dataset))
    write_lines(
        place / "queries.jsonl",
        ({"_id": query.id, "text": query.question, "metadata": facts(query)} for query in dataset),
    )
    _write_qrels(dataset, place / "qrels" / "test.tsv", answerable=True)
    _write_qrels(dataset, place / "qrels" / "unanswerable.tsv", answerable=False)


def _corpus(dataset: Dataset) -> Iterator[dict[str, object]]:
    for chunk in dataset.corpus():
        title = " › ".join(part for part in (chunk.title, chunk.heading) if part)
        yield {"_id": chunk.id, "title": title, "text": chunk.text, "metadata": {}}


def _write_qrels(dataset: Dataset, path: Path, *, answerable: bool) -> None:
    with text_file(path) as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerow(("query-id", "corpus-id", "score"))
        for query in dataset:
            if query.answerable is answerable:
                for name in dataset.source_ids(query):
                    table.writerow((query.id, name, int(answerable)))


FORMAT = Format(
    name="beir",
    purpose="BEIR: corpus, queries, `qrels/test.tsv` (twins) and `qrels/unanswerable.tsv`",
    loses="reference answers to its loader, which keeps text alone; the rest is in `metadata`",
    write=write,
    folder=True,
    needs_passages=True,
    passes=3,
)
