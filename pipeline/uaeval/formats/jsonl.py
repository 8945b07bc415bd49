"""JSON lines: the records as they are, with what can be told from them."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import expected_behaviour, rubric
from uaeval.formats.given import each_line, query_of
from uaeval.formats.output import write_lines
from uaeval.types import Query

RECORD: TypeAdapter[Query] = TypeAdapter(Query)


def write(dataset: Dataset, place: Path) -> None:
    """Write one record a line, with its expected behaviour, rubric and passages."""
    write_lines(place, (row(query, dataset) for query in dataset))


def row(query: Query, dataset: Dataset) -> dict[str, object]:
    """Return the whole record, JSON-ready."""
    record: dict[str, object] = RECORD.dump_python(query, mode="json")
    article = dataset.article(query)
    return {
        **record,
        "outside_article": asdict(article) if article else None,
        "expected_behaviour": expected_behaviour(query),
        "rubric": rubric(query),
        "passages": [asdict(source) for source in dataset.sources(query)],
    }


def read(place: Path) -> Iterator[Query]:
    """Read records, or lines of a user's own that have at least a `question`."""
    for where, value in each_line(place):
        yield query_of(value, where)
