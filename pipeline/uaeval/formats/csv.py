"""CSV: a table for spreadsheets, with nested fields as JSON and without formulas."""

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from uaeval.errors import DatasetError
from uaeval.formats.dataset import Dataset, row
from uaeval.formats.format import Format
from uaeval.formats.reading import query_of
from uaeval.records import Query
from uaeval.storage import FORMULA, line, text_file, without_formula

NESTED = "readings evidence checks provenance voice history passages outside_article".split()
COLUMNS = (
    "id question category answerable subtype reason reference_answer expected_behaviour rubric "
    "pair_id pair_category language hardness outside_answer outside_sentence rag_answer"
).split() + NESTED


def write(dataset: Dataset, place: Path) -> None:
    """Write one row per query."""
    with text_file(place) as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        for query in dataset:
            record = {**row(query, dataset), "answerable": query.answerable}
            table.writerow({name: _cell(record[name]) for name in COLUMNS})


def _cell(value: object) -> str:
    if isinstance(value, str):
        return without_formula(value)
    return "" if value is None else line(value)


def read(place: Path) -> Iterator[Query]:
    """Yield the queries of a table of `write`, or of any table with a column `question`."""
    limit = csv.field_size_limit(sys.maxsize)
    try:
        with place.open(encoding="utf-8-sig", newline="") as file:
            for number, cells in enumerate(csv.DictReader(file, strict=True), 2):
                where = f"{place}:{number}"
                if None in cells or None in cells.values():
                    raise DatasetError(f"{where}: the row has more or fewer cells than the header")
                yield query_of({name: _value(name, cells[name], where) for name in cells}, where)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DatasetError(f"cannot read {place} as a CSV table: {error}") from error
    finally:
        csv.field_size_limit(limit)


def _value(name: str, text: str, where: str) -> object:
    if FORMULA.match(text):
        text = text.removeprefix("'")
    if text == "":
        return None
    try:
        if name in NESTED:
            return json.loads(text)
        return float(text) if name == "hardness" else text
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{where}: {name} cannot be read: {error}") from error


FORMAT = Format(
    name="csv",
    purpose="a table for spreadsheets and pandas (`dtype=str`); nested columns are JSON",
    loses="nothing; a cell that would be computed begins with an apostrophe",
    write=write,
    read=read,
    lossless=True,
    suffixes=(".csv",),
)
