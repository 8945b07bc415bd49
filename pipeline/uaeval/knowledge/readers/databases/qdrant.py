"""Read Qdrant collections, in a folder or on a server."""

import os
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from uaeval.knowledge.readers.databases.collection import PAGE, TIMEOUT_S, Collection, counted
from uaeval.knowledge.readers.rows import Row

if TYPE_CHECKING:
    from qdrant_client import QdrantClient


def scan(collection: Collection) -> Iterator[Row]:
    """Yield the payload of each point, with its id as `_id`."""
    with closing(_qdrant(collection)) as client:
        collection.check_name(stored.name for stored in client.get_collections().collections)
        number = client.count(collection.name, exact=True).count
        yield from counted(_points(client, collection.name), number)


def _points(client: "QdrantClient", name: str) -> Iterator[Row]:
    offset = None
    while True:
        points, offset = client.scroll(name, limit=PAGE, offset=offset, with_payload=True)
        for point in points:
            yield {**(point.payload or {}), "_id": point.id}
        if offset is None:
            return


def _qdrant(collection: Collection) -> "QdrantClient":
    from qdrant_client import QdrantClient

    if collection.remote:
        key = os.environ.get("QDRANT_API_KEY")
        return QdrantClient(
            url=collection.place, api_key=key, timeout=TIMEOUT_S, check_compatibility=False
        )
    collection.check_folder("meta.json")
    return QdrantClient(path=collection.place)
