"""Everything that touches Chroma: connecting, reading a collection, keeping vectors."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import numpy as np

from uaeval.errors import KnowledgeBaseError, StorageError, UsageError
from uaeval.knowledge.vector_search import Vectors

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.collection_configuration import CreateHNSWConfiguration
    from chromadb.api.models.Collection import Collection

_PAGE = 1_000
_MARK = "uaeval"
_GRAPH: "CreateHNSWConfiguration" = {
    "space": "cosine",
    "ef_construction": 10,
    "max_neighbors": 4,
    "ef_search": 2**31 - 1,
}
"""The cheapest graph by which other tools still find nearly everything; `Index` searches exactly.
See `docs/decisions/0001-chroma.md`."""


@dataclass(frozen=True, slots=True)
class CollectionAddress:
    """A Chroma database and a collection in it."""

    at: str
    """A folder, or `http://host:port`."""
    collection: str | None
    own: bool = False
    """Whether nobody but this package writes there, so that it may be deleted and built anew."""

    @property
    def remote(self) -> bool:
        """Whether it is a server."""
        return self.at.startswith(("http://", "https://"))


def parse_place(address: str) -> CollectionAddress:
    """Read `chroma:<folder or http://host:port>[#collection]`."""
    at, _, collection = address.removeprefix("chroma:").partition("#")
    if not at:
        raise KnowledgeBaseError(f"{address}: write chroma:<folder or http://host:port>#collection")
    return CollectionAddress(at, collection or None)


def unusable(place: CollectionAddress, reason: str) -> UsageError:
    """Say that a database cannot be used, and what helps."""
    if place.own:
        remedy = f"free some space if the disk is full, delete {place.at} and run again"
        return StorageError(f"the index {place.at} cannot be used ({reason}); {remedy}")
    return KnowledgeBaseError(f"chroma:{place.at}: cannot be used ({reason})")


@contextmanager
def _reported(place: CollectionAddress) -> Iterator[None]:
    """Tell of Chroma's failures in one sentence."""
    import httpx
    from chromadb.errors import ChromaError

    try:
        yield
    except (ChromaError, ValueError, OSError, httpx.HTTPError) as error:
        raise unusable(place, " ".join(str(error).split())) from error


def connect(place: CollectionAddress) -> "Client":
    """Open a Chroma database, without telemetry."""
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    with _reported(place):
        if not place.remote:
            try:
                return cast("Client", chromadb.PersistentClient(path=place.at, settings=settings))
            finally:
                _forget_unstarted(place.at)
        url = urlsplit(place.at)
        secure = url.scheme == "https"
        port = url.port or (443 if secure else 8000)
        client = chromadb.HttpClient(
            host=url.hostname or "", port=port, ssl=secure, settings=settings
        )
        return cast("Client", client)


def _forget_unstarted(at: str) -> None:
    """Drop a database that failed to start; Chroma keeps it, and fails on it for good."""
    from chromadb.api.shared_system_client import SharedSystemClient

    if at not in SharedSystemClient._identifier_to_refcount:
        SharedSystemClient._identifier_to_system.pop(at, None)


def _disconnect(client: "Client") -> None:
    """Close a client, and the HTTP connections that its own `close` leaves open."""
    import httpx

    client.close()
    for part in (client, client._admin_client):
        session = getattr(getattr(part, "_server", None), "_session", None)
        if isinstance(session, httpx.Client):
            session.close()


Record = dict[str, object]


def read_collection(place: CollectionAddress) -> Iterator[tuple[str, str, Record]]:
    """Yield the id, text and metadata of everything in somebody's collection."""
    if not place.remote and not (Path(place.at) / "chroma.sqlite3").is_file():
        raise KnowledgeBaseError(f"chroma:{place.at}: there is no Chroma database in this folder")
    client = connect(place)
    try:
        with _reported(place):
            collection = _existing(client, place)
            for offset in range(0, collection.count(), _PAGE):
                page = collection.get(
                    limit=_PAGE, offset=offset, include=["documents", "metadatas"]
                )
                texts, metadatas = page["documents"] or [], page["metadatas"] or []
                for identity, text, metadata in zip(page["ids"], texts, metadatas, strict=True):
                    yield identity, text or "", dict(metadata or {})
    finally:
        _disconnect(client)


def _existing(client: "Client", place: CollectionAddress) -> "Collection":
    names = sorted(collection.name for collection in client.list_collections())
    if place.collection not in names:
        known = ", ".join(names) or "none"
        raise KnowledgeBaseError(
            f"chroma:{place.at}: there is no collection {place.collection!r}; it has: {known}"
        )
    return client.get_collection(place.collection, embedding_function=None)


class VectorStore:
    """Vectors by key in one collection that is ours."""

    def __init__(self, place: CollectionAddress, name: str) -> None:
        self._place = place
        self._client = connect(place)
        self._closed = False
        self._name = place.collection or name
        try:
            with _reported(place):
                self._collection = self._open()
        except UsageError:
            self.close()
            raise

    def _open(self) -> "Collection":
        collection = self._client.get_or_create_collection(
            self._name,
            metadata={_MARK: 1},
            configuration={"hnsw": _GRAPH},
            embedding_function=None,
        )
        if (collection.metadata or {}).get(_MARK) != 1:
            raise KnowledgeBaseError(
                f"chroma:{self._place.at}: the collection {self._name!r} belongs to something "
                "else; name another one after the #"
            )
        return collection

    def keys(self) -> set[str]:
        """Name everything that is stored."""
        with _reported(self._place):
            return set(self._collection.get(include=[])["ids"])

    def remove(self, keys: Sequence[str]) -> None:
        """Forget these."""
        with _reported(self._place):
            for batch in _batches(keys, self._client.get_max_batch_size()):
                self._collection.delete(ids=list(batch))

    def put(self, keys: Sequence[str], texts: Sequence[str], vectors: Vectors) -> None:
        """Store a text and its vector under each key."""
        with _reported(self._place):
            limit = self._client.get_max_batch_size()
            for start in range(0, len(keys), limit):
                stop = start + limit
                self._collection.upsert(
                    ids=list(keys[start:stop]),
                    metadatas=[{"text": text} for text in texts[start:stop]],  # no full-text index
                    embeddings=vectors[start:stop],
                )

    def vectors(self, keys: Sequence[str]) -> Vectors:
        """Return what is stored under these keys, one row each, in their order."""
        pages: list[Vectors] = []
        for batch in _batches(keys, _PAGE):
            with _reported(self._place):
                found = self._collection.get(ids=list(batch), include=["embeddings"])
            stored = dict(zip(found["ids"], np.asarray(found["embeddings"]), strict=True))
            if lacking := len(batch) - len(stored):
                raise unusable(self._place, f"{lacking} vectors are not found")
            pages.append(np.array([stored[key] for key in batch], dtype=np.float32))
        return np.concatenate(pages)

    def close(self) -> None:
        """Let go of the database; once is enough, twice does no harm."""
        if not self._closed:
            self._closed = True
            _disconnect(self._client)


def _batches(keys: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(keys), size):
        yield keys[start : start + size]
