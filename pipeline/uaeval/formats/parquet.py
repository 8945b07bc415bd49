"""Write Parquet files, given the types of their columns as names, lists and mappings."""

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import JsonValue

BATCH = 6_000
"""Rows in memory at a time. Each batch makes a row group, and writers keep metadata of every row
group, so smaller batches take more memory."""


def arrow_schema(columns: Mapping[str, JsonValue]) -> pa.Schema:
    """Return the schema of `columns`: `string`, `[string]` for a list, `{name: string}`."""
    return pa.schema([(name, _arrow_type(column)) for name, column in columns.items()])


def _arrow_type(column: JsonValue) -> pa.DataType:
    if isinstance(column, dict):
        return pa.struct([(name, _arrow_type(part)) for name, part in column.items()])
    if isinstance(column, list):
        return pa.list_(_arrow_type(column[0]))
    return pa.type_for_alias(column)


def write_parquet(path: Path, rows: Iterable[object], columns: Mapping[str, JsonValue]) -> None:
    """Write rows with these columns, some thousand at a time."""
    schema, remaining = arrow_schema(columns), iter(rows)
    with pq.ParquetWriter(path, schema) as writer:
        while batch := list(islice(remaining, BATCH)):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
