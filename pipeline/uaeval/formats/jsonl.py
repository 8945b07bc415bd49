"""JSONL: whole records with their passages, for the user's own programs."""

from collections.abc import Iterator
from pathlib import Path

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import row
from uaeval.formats.format import Format
from uaeval.formats.output import write_lines
from uaeval.formats.reading import each_line, query_of
from uaeval.records import Query


def write(dataset: Dataset, place: Path) -> None:
    """Write one record a line."""
    write_lines(place, (row(query, dataset) for query in dataset))


def read(place: Path) -> Iterator[Query]:
    """Read such records, or any with a question and little else."""
    return (query_of(record, where) for where, record in each_line(place))


FORMAT = Format(
    name="jsonl",
    purpose="the records, with expected behaviour, rubric and passages; for your own programs",
    loses="nothing",
    write=write,
    read=read,
    lossless=True,
)
