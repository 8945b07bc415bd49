"""An export format: id, category, question and reference answer, separated by tabs."""

import csv
from collections.abc import Iterator
from pathlib import Path

from uaeval.formats.dataset import Dataset
from uaeval.formats.format import Format
from uaeval.formats.reading import query_of
from uaeval.records import Query


def write(dataset: Dataset, place: Path) -> None:
    with place.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t")
        table.writerow(["id", "category", "question", "reference_answer"])
        table.writerows((q.id, q.category, q.question, q.reference_answer) for q in dataset)


def read(place: Path) -> Iterator[Query]:
    with place.open(encoding="utf-8", newline="") as file:
        for line, row in enumerate(csv.DictReader(file, delimiter="\t"), 2):
            yield query_of(row, f"{place}:{line}")


FORMAT = Format(
    name="tsv",
    purpose="a spreadsheet of tab-separated values",
    loses="evidence, checks and passages",
    write=write,
    read=read,
    suffixes=(".tsv",),
)
