"""Hugging Face: Parquet with explicit features, one config per category, and a card."""

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, groupby, islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from uaeval.categories.names import category_names
from uaeval.categories.registry import categories
from uaeval.categories.registry import category as category_of
from uaeval.errors import DatasetError
from uaeval.formats.dataset import Dataset, row
from uaeval.formats.format import Format
from uaeval.formats.parquet import BATCH, arrow_schema
from uaeval.formats.query_fields import side
from uaeval.formats.reading import query_of
from uaeval.formats.tools import ENVIRONMENT
from uaeval.llm.names import is_offline
from uaeval.records import Query, Score
from uaeval.report.tables import UNRELIABLE_NOTE, interval, percent
from uaeval.report.text import visible
from uaeval.resources import shipped_table
from uaeval.storage import file_print, stream_journal, text_file

OWN = "own"
"""Folder and config of controls without a category."""
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_UNFIT_FOR_CODE = re.compile(r"[`{}<>\\]")
"""Characters that would end a code block or a BibTeX field, or look like HTML."""


def write(dataset: Dataset, place: Path) -> None:
    """Write `data/<category>/<split>.parquet` and the card; raise `ConfigError` without license."""
    from datasets import Features  # slow to import

    dataset.required_license()
    place.mkdir(parents=True)
    columns = arrow_schema(shipped_table("formats/hf_columns.yaml"))
    schema = Features.from_arrow_schema(columns).arrow_schema
    writers: dict[str, pq.ParquetWriter] = {}
    queries = iter(dataset)
    with ExitStack() as stack:
        while batch := list(islice(queries, BATCH)):
            for name, group in groupby(sorted(batch, key=_parquet_path), key=_parquet_path):
                if name not in writers:
                    path = place / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    writers[name] = stack.enter_context(pq.ParquetWriter(path, schema))
                rows = [_row(query, dataset) for query in group]
                writers[name].write_table(pa.Table.from_pylist(rows, schema=schema))
    texts = {"README.md": card(dataset), "croissant.json": _croissant(dataset, place)}
    for name, text in texts.items():
        with text_file(place / name) as file:
            file.write(text)


def _croissant(dataset: Dataset, place: Path) -> str:
    """Return Croissant metadata: files with their hashes, and the flat columns."""
    columns = shipped_table("formats/hf_columns.yaml")
    files = [
        {
            "path": path.relative_to(place).as_posix(),
            "name": f"{path.parent.name}-{path.stem}",
            "sha256": file_print(path).sha256,
        }
        for path in sorted(place.glob("data/*/*.parquet"), key=_order)
    ]
    template = ENVIRONMENT.get_template("hf/croissant.json.j2")
    return template.render(dataset=dataset, files=files, columns=columns)


def _parquet_path(query: Query) -> str:
    return f"data/{query.pair_category or OWN}/{side(query)}.parquet"


def _row(query: Query, dataset: Dataset) -> dict[str, object]:
    difficulty = category_of(query.category).difficulty if query.category else None
    return {**row(query, dataset), "answerable": query.answerable, "difficulty": difficulty}


def read(place: Path) -> Iterator[Query]:
    """Yield the queries of a folder by category, the unanswerable ones before their twins."""
    for path in sorted(place.glob("data/*/*.parquet"), key=_order):
        try:
            with pq.ParquetFile(path) as file:
                batches = (batch.to_pylist() for batch in file.iter_batches(1_000))
                for number, value in enumerate(chain.from_iterable(batches), 1):
                    yield query_of(value, f"{path}:{number}")
        except (OSError, pa.ArrowException) as error:
            raise DatasetError(f"cannot read {path}: {error}") from error


def _order(path: Path) -> tuple[int, str]:
    known = {name: index for index, name in enumerate([*category_names(), OWN])}
    return known.get(path.parent.name, len(known)), "ab"[path.stem == "answerable"]


def card(dataset: Dataset) -> str:
    """Return the text of `README.md`."""
    summary, manifest = dataset.summary(), dataset.manifest
    languages = [name for name in summary.languages if name != "und"]
    present = {category for category, _ in summary.counts}
    named: dict[str, object] = {"pretty_name": dataset.name, "license": dataset.required_license()}
    if languages:
        named["language"] = languages
    return ENVIRONMENT.get_template("hf/README.md.j2").render(
        named=yaml.safe_dump(named, sort_keys=False, allow_unicode=True),
        dataset=dataset,
        title=_UNFIT_FOR_CODE.sub("", visible(dataset.name)),
        size=next((name for most, name in SIZES if summary.counts.total() < most), "n>1M"),
        category_names=category_names(),
        own=OWN,
        summary=summary,
        categories=[spec for spec in categories() if spec.name in present],
        annotators=len({label.annotator for label in dataset.labels}),
        validity=_validity(dataset),
        interval=interval,
        percent=percent,
        unreliable=UNRELIABLE_NOTE,
        offline=any(count.by_offline for count in manifest.stages.get("generate", {}).values())
        or any(map(is_offline, manifest.models.values())),
    )


def _validity(dataset: Dataset) -> Sequence[Score]:
    if not dataset.labels:
        return ()
    from uaeval.evaluation.labels.annotators import validity

    labelled = {label.query_id for label in dataset.labels}
    queries = stream_journal(dataset.run.queries_path, Query)
    return validity([query for query in queries if query.id in labelled], dataset.labels)


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
