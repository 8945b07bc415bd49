"""Read LanceDB tables, in a folder or an object store."""

from collections.abc import Iterator

from uaeval.knowledge.readers.databases.collection import PAGE, Collection, counted
from uaeval.knowledge.readers.rows import Row


def scan(collection: Collection) -> Iterator[Row]:
    """Yield each row of a table in a folder or store, without vectors, structures and bytes."""
    import lancedb
    from pyarrow import types

    if "://" not in collection.place:
        collection.check_folder("")
    table = lancedb.connect(collection.place).open_table(collection.name)
    columns = [
        field.name
        for field in table.schema
        if not (types.is_nested(field.type) or types.is_binary(field.type))
    ]
    batches = table.search().select(columns).to_batches(PAGE)
    yield from counted((row for batch in batches for row in batch.to_pylist()), table.count_rows())
