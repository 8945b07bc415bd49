"""Read collections of Qdrant, in a folder (local mode) or on a server (`QDRANT_API_KEY`)."""

import os
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from uaeval.knowledge.readers.indexes import PAGE, Collection, counted
from uaeval.knowledge.readers.rows import Row

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

_TIMEOUT_S = 60


def scan(collection: Collection) -> Iterator[Row]:
    """Yield the payload of each point, with its id as `_id`."""
    with closing(_client(collection)) as client:
        names = [stored.name for stored in client.get_collections().collections]
        if collection.name not in names:
            raise collection.missing(names)
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


def _client(collection: Collection) -> "QdrantClient":
    from qdrant_client import QdrantClient

    if collection.remote:
        key = os.environ.get("QDRANT_API_KEY")
        return QdrantClient(
            url=collection.place, api_key=key, timeout=_TIMEOUT_S, check_compatibility=False
        )
    collection.check_folder("meta.json")
    return QdrantClient(path=collection.place)
