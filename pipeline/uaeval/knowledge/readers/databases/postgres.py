"""Read PostgreSQL tables, such as those of pgvector."""

from collections.abc import Iterator
from typing import Final

from uaeval.knowledge.readers.databases.collection import PAGE, Collection
from uaeval.knowledge.readers.rows import Row

_TYPES: Final = frozenset(
    "text varchar bpchar name int2 int4 int8 float4 float8 numeric bool uuid date timestamp "
    "timestamptz json jsonb".split()
)
"""The types of columns that are read: texts, numbers, dates and JSON."""


def scan(collection: Collection) -> Iterator[Row]:
    """Yield each row of `postgres://host/database/[schema.]table` in one read-only transaction.

    libpq finds the login (`PGPASSWORD`).
    """
    import psycopg
    from psycopg import sql
    from psycopg.rows import dict_row

    table = sql.Identifier(*collection.name.split("."))
    with psycopg.connect(f"postgresql:{collection.place}", row_factory=dict_row) as connection:
        connection.read_only = True
        known = connection.adapters.types
        shape = connection.execute(sql.SQL("SELECT * FROM {} LIMIT 0").format(table))
        types = {column.name: known.get(column.type_code) for column in shape.description or ()}
        columns = sql.SQL(", ").join(
            sql.SQL("{0}::text AS {0}").format(sql.Identifier(name))
            for name, kind in types.items()
            if kind is not None and kind.name in _TYPES
        )
        with connection.cursor("uaeval") as cursor:  # a named cursor is kept by the server
            cursor.itersize = PAGE
            cursor.execute(sql.SQL("SELECT {} FROM {}").format(columns, table))
            yield from cursor
