"""Read files with rows: JSON Lines, CSV and Parquet."""

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.decoding import encoding_of
from uaeval.knowledge.readers.rows import Placed, Row, too_long
from uaeval.knowledge.reading import UnusableFile


def _json_lines(path: Path, name: str, limit: int) -> Iterator[Placed]:
    with path.open(encoding=encoding_of(path), errors="replace") as file:
        for number, line in enumerate(file, 1):
            if len(line) > limit + 1:
                yield f"{name}:{number}", too_long(limit)
            elif line.strip():
                yield f"{name}:{number}", _json_object(line, f"{name}:{number}")


def _json_object(line: str, place: str) -> Row | KnowledgeBaseError:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return KnowledgeBaseError(f"{place}: this line is not JSON ({error})")
    if isinstance(row, dict):
        return row
    return KnowledgeBaseError(f"{place}: this line is not a JSON object with named fields")


def _csv(path: Path, name: str, limit: int) -> Iterator[Placed]:
    csv.field_size_limit(2**31 - 1)  # the largest; longer rows than `limit` are skipped later
    with path.open(encoding=encoding_of(path), errors="replace", newline="") as file:
        header = file.readline()
        file.seek(0)
        delimiter = max(",;\t|", key=lambda mark: (header.count(mark), mark == ","))
        rows = csv.DictReader(file, delimiter=delimiter, restkey="(further cells)")
        if any(len(field) > limit for field in rows.fieldnames or ()):
            raise UnusableFile(f"its first line, with the fields: {too_long(limit)}")
        for row in rows:
            yield f"{name}:{rows.line_num}", row


def _parquet(path: Path, name: str, limit: int) -> Iterator[Placed]:
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=256):
                step = max(1, batch.num_rows) if batch.nbytes <= limit else 1
                for start in range(0, batch.num_rows, step):
                    for row in batch.slice(start, step).to_pylist():
                        number += 1
                        yield f"{name}:{number}", row
    except (arrow.ArrowException, UnicodeDecodeError) as error:
        raise UnusableFile("it is damaged: not a Parquet file") from error


ROW_FILES: Final[Mapping[str, Callable[[Path, str, int], Iterator[Placed]]]] = {
    **dict.fromkeys((".jsonl", ".ndjson"), _json_lines),
    **dict.fromkeys((".csv", ".tsv"), _csv),
    ".parquet": _parquet,
}
"""Readers of files with rows, by suffix. Each takes a path, the name in messages and the limit of
characters, and yields rows; a row that cannot be used is an error."""
