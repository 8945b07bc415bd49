"""Hugging Face: Parquet with explicit features, a config a category, and a card."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from uaeval.categories.names import category_names
from uaeval.categories.registry import category as category_of
from uaeval.errors import DatasetError
from uaeval.formats.card import OWN, card
from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import expected_behaviour, row, rubric
from uaeval.formats.format import Format
from uaeval.formats.output import text_file
from uaeval.formats.reading import query_of
from uaeval.records import Query

if TYPE_CHECKING:
    from typing import Any

    from datasets import Features

BATCH = 500
"""Rows of one file in memory before they are written."""
MOST = 16 << 20
"""Most characters of questions, reasons and rubrics in memory."""


def features() -> "Features":
    """Return the columns; all but the nested ones may be null."""
    from datasets import Features, List, Value  # takes a second to load

    text = Value("string")
    texts = List(text)
    names = (
        "id question category subtype difficulty reason reference_answer expected_behaviour "
        "rubric pair_id pair_category language outside_answer outside_sentence rag_answer"
    )
    stances = {"supports": texts, "contradicts": texts, "silent": texts}
    reading = ("question", "value", "chunk_id", "answer")
    source = ("chunk_id", "title", "heading", "text", "sha256")
    article = ("url", "date", "sha256")
    origin = ("document_id", "generator", "verifier", "generate_prompt", "verify_prompt")
    return Features(
        {
            **{name: text for name in names.split()},
            "answerable": Value("bool"),
            "hardness": Value("float64"),
            "readings": List({name: text for name in reading}),
            "evidence": List({"claim": text, "outcome": text, **stances}),
            "checks": List({"name": text, "passed": Value("bool"), "rationale": text}),
            "provenance": {"chunk_ids": texts, **{name: text for name in origin}},
            "voice": {"style": text, "asker": text},
            "history": List({"role": text, "content": text}),
            "passages": List({name: text for name in source}),
            "outside_article": {name: text for name in article},
        }
    )


def write(dataset: Dataset, place: Path) -> None:
    """Write the folder: `data/<category>/<split>.parquet` and the card.

    Raises:
        ConfigError: the dataset has no license.
    """
    dataset.publication.required_license()
    place.mkdir(parents=True)
    with ExitStack() as stack:
        tables = _Tables(place, stack)
        for query in dataset:
            tables.add(query, dataset)
        tables.flush()
    with text_file(place / "README.md") as file:
        file.write(card(dataset))


class _Tables:
    """One Parquet file for each category and split, written in batches."""

    def __init__(self, place: Path, stack: ExitStack) -> None:
        self._place = place
        self._stack = stack
        self._schema = features().arrow_schema
        self._rows: dict[str, list[dict[str, object]]] = {}
        self._held = 0
        self.written: dict[str, Any] = {}
        """Writers by path below the folder."""

    def add(self, query: Query, dataset: Dataset) -> None:
        """Put a query into its table."""
        split = "answerable" if query.answerable else "unanswerable"
        name = f"data/{query.pair_category or OWN}/{split}.parquet"
        spec = category_of(query.category) if query.category else None
        whole = {
            **row(query, dataset),
            "answerable": query.answerable,
            "difficulty": spec and spec.difficulty,
        }
        self._rows.setdefault(name, []).append(whole)
        self._held += len(query.question) + len(rubric(query)) + len(expected_behaviour(query))
        if len(self._rows[name]) >= BATCH:
            self._flush(name)
        if self._held > MOST:
            self.flush()

    def flush(self) -> None:
        """Write all rows in memory."""
        for name in list(self._rows):
            self._flush(name)
        self._held = 0

    def _flush(self, name: str) -> None:
        rows = self._rows.pop(name)
        self._writer(name).write_table(pa.Table.from_pylist(rows, schema=self._schema))

    def _writer(self, name: str) -> "Any":
        if name not in self.written:
            path = self._place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            self.written[name] = self._stack.enter_context(pq.ParquetWriter(path, self._schema))
        return self.written[name]


def read(place: Path) -> Iterator[Query]:
    """Read such a folder: by category, the unanswerable queries before their twins."""
    for path in sorted(place.glob("data/*/*.parquet"), key=_order):
        number = 0
        try:
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(BATCH):
                    for value in batch.to_pylist():
                        number += 1
                        yield query_of(value, f"{path}:{number}")
        except (OSError, pa.ArrowException) as error:
            raise DatasetError(f"cannot read {path}: {error}") from error


def _order(path: Path) -> tuple[int, str]:
    known: Mapping[str, int] = {name: place for place, name in enumerate([*category_names(), OWN])}
    return known.get(path.parent.name, len(known)), "ab"[path.stem == "answerable"]


FORMAT = Format(
    name="hf",
    purpose="Hugging Face `load_dataset(DIR)`: Parquet, a config a category, two splits, card",
    loses="the order of the queries across categories",
    write=write,
    folder=True,
    passes=2,
    read=read,
    lossless=True,
    suffixes=(),
    contains="data/*/*.parquet",
)
