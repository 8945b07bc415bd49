"""Read Chroma collections, in a folder or on a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import httpx

from uaeval.knowledge.readers.databases.collection import PAGE, Collection, counted
from uaeval.knowledge.readers.rows import Row

if TYPE_CHECKING:
    import chromadb
    from chromadb.api.client import Client


def scan(collection: Collection) -> Iterator[Row]:
    """Yield the metadata of each record, with its document as `text` and its id as `_id`."""
    with _chroma(collection) as client:
        collection.check_name(stored.name for stored in client.list_collections())
        stored = client.get_collection(collection.name, embedding_function=None)
        yield from counted(_chroma_records(stored), stored.count())


def _chroma_records(stored: "chromadb.Collection") -> Iterator[Row]:
    offset = 0
    while True:
        page = stored.get(limit=PAGE, offset=offset, include=["documents", "metadatas"])
        texts, metadatas = page["documents"] or [], page["metadatas"] or []
        for identity, text, metadata in zip(page["ids"], texts, metadatas, strict=True):
            yield {**(metadata or {}), **({"text": text} if text else {}), "_id": identity}
        if not page["ids"]:
            return
        offset += len(page["ids"])


@contextmanager
def _chroma(collection: Collection) -> Iterator["Client"]:
    """Open a database without telemetry; close it, and the sessions that its `close` does not."""
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    if collection.remote:
        url = urlsplit(collection.place)
        ssl = url.scheme == "https"
        port = url.port or (443 if ssl else 8000)
        opened = chromadb.HttpClient(url.hostname or "", port, ssl, settings=settings)
    else:
        collection.check_folder("chroma.sqlite3")
        opened = chromadb.PersistentClient(collection.place, settings)
    client = cast("Client", opened)
    try:
        yield client
    finally:
        client.close()
        for part in (client, client._admin_client):
            session = getattr(getattr(part, "_server", None), "_session", None)
            if isinstance(session, httpx.Client):
                session.close()
