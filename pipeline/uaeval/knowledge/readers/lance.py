"""Read tables of LanceDB, in a folder or an object store."""

from collections.abc import Iterator

from uaeval.knowledge.readers.indexes import PAGE, Collection, counted
from uaeval.knowledge.readers.rows import Row


def scan(collection: Collection) -> Iterator[Row]:
    """Yield each row, without its vectors, structures and bytes."""
    import lancedb
    from pyarrow import types

    if "://" not in collection.place:
        collection.check_folder("")
    database = lancedb.connect(collection.place)
    table = database.open_table(collection.name)
    columns = [
        field.name
        for field in table.schema
        if not (types.is_nested(field.type) or types.is_binary(field.type))
    ]
    batches = table.search().select(columns).to_batches(PAGE)
    rows = (row for batch in batches for row in batch.to_pylist())
    yield from counted(rows, table.count_rows())
