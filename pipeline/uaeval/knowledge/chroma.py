"""Everything that touches Chroma: connecting, reading a collection, keeping vectors."""

import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlsplit

import numpy as np

from uaeval.errors import KnowledgeBaseError, StorageError, UsageError
from uaeval.knowledge.vector_search import Vectors

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.collection_configuration import CreateHNSWConfiguration
    from chromadb.api.models.Collection import Collection

_PAGE: Final = 1_000
_HEADER: Final = struct.Struct("<i4Q")
"""Of a graph file: version, offset, room for vectors, vectors, bytes of a vector."""
_LENGTH: Final = 4
"""Bytes that a graph keeps of each vector beside it."""
_MARK: Final = "uaeval"
_GRAPH: Final["CreateHNSWConfiguration"] = {
    "space": "cosine",
    "ef_construction": 10,
    "max_neighbors": 4,
    "ef_search": 2**31 - 1,
}
"""The cheapest graph by which other tools still find nearly everything; `HybridIndex` searches
exactly. See `docs/decisions/0001-chroma.md`."""


@dataclass(frozen=True, slots=True)
class CollectionAddress:
    """A Chroma database and a collection in it."""

    at: str
    """A folder, or `http://host:port`."""
    collection: str | None
    own: bool = False
    """Whether only this package writes there, so that the folder may be deleted and built again."""

    @property
    def remote(self) -> bool:
        """Whether it is a server."""
        return self.at.startswith(("http://", "https://"))


def parse_place(address: str) -> CollectionAddress:
    """Parse `chroma:<folder or http://host:port>[#collection]`."""
    at, _, collection = address.removeprefix("chroma:").partition("#")
    if not at:
        raise KnowledgeBaseError(f"{address}: write chroma:<folder or http://host:port>#collection")
    return CollectionAddress(at, collection or None)


def _unusable(place: CollectionAddress, reason: str) -> UsageError:
    if place.own:
        remedy = f"free some space if the disk is full, delete {place.at} and run again"
        return StorageError(f"the index {place.at} cannot be used ({reason}); {remedy}")
    return KnowledgeBaseError(f"chroma:{place.at}: cannot be used ({reason})")


@contextmanager
def _reported(place: CollectionAddress) -> Iterator[None]:
    """Raise Chroma's errors as one `UsageError` that names the place."""
    import httpx
    from chromadb.errors import ChromaError

    try:
        yield
    except (ChromaError, ValueError, OSError, httpx.HTTPError) as error:
        raise _unusable(place, " ".join(str(error).split())) from error


@contextmanager
def _connected(place: CollectionAddress) -> Iterator["Client"]:
    """Open a Chroma database without telemetry; close it, and what its own `close` leaves open."""
    import httpx

    client = _connect(place)
    try:
        yield client
    finally:
        client.close()
        for part in (client, client._admin_client):
            session = getattr(getattr(part, "_server", None), "_session", None)
            if isinstance(session, httpx.Client):
                session.close()


def _connect(place: CollectionAddress) -> "Client":
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
    """Drop a database that failed to start; Chroma would keep it and fail on it every time."""
    from chromadb.api.shared_system_client import SharedSystemClient

    if at not in SharedSystemClient._identifier_to_refcount:
        SharedSystemClient._identifier_to_system.pop(at, None)


Record = dict[str, object]


def read_collection(place: CollectionAddress) -> Iterator[tuple[str, str, Record]]:
    """Yield the id, text and metadata of every record of a collection.

    Raises:
        KnowledgeBaseError: the database or the collection does not exist or cannot be read.
    """
    if not place.remote and not (Path(place.at) / "chroma.sqlite3").is_file():
        raise KnowledgeBaseError(f"chroma:{place.at}: no Chroma database in this folder")
    with _connected(place) as client, _reported(place):
        collection = _existing(client, place)
        for offset in range(0, collection.count(), _PAGE):
            page = collection.get(limit=_PAGE, offset=offset, include=["documents", "metadatas"])
            texts, metadatas = page["documents"] or [], page["metadatas"] or []
            for identity, text, metadata in zip(page["ids"], texts, metadatas, strict=True):
                yield identity, text or "", dict(metadata or {})


def _existing(client: "Client", place: CollectionAddress) -> "Collection":
    names = sorted(collection.name for collection in client.list_collections())
    if place.collection not in names:
        known = ", ".join(names) or "none"
        raise KnowledgeBaseError(
            f"chroma:{place.at}: no collection {place.collection!r}; its collections: {known}"
        )
    return client.get_collection(place.collection, embedding_function=None)


class VectorStore:
    """The texts and vectors of one collection that is ours, by key."""

    def __init__(self, client: "Client", place: CollectionAddress, name: str) -> None:
        self._client = client
        self._place = place
        self._name = place.collection or name
        self._collection = self._open()
        clear_unused(place)

    def _open(self) -> "Collection":
        with _reported(self._place):
            collection = self._client.get_or_create_collection(
                self._name,
                metadata={_MARK: 1},
                configuration={"hnsw": _GRAPH},
                embedding_function=None,
            )
        if (collection.metadata or {}).get(_MARK) != 1:
            raise KnowledgeBaseError(
                f"chroma:{self._place.at}: uaeval did not create the collection {self._name!r}; "
                "name another one after the #"
            )
        return collection

    def keys(self) -> set[str]:
        """Return the keys of everything that is stored."""
        with _reported(self._place):
            return set(self._collection.get(include=[])["ids"])

    def remove(self, keys: Sequence[str]) -> None:
        """Remove these keys."""
        with _reported(self._place):
            for batch in batches(keys, self._client.get_max_batch_size()):
                self._collection.delete(ids=list(batch))

    def clear(self) -> None:
        """Remove everything."""
        with _reported(self._place):
            self._client.delete_collection(self._name)
        self._collection = self._open()

    def add(self, texts: Mapping[str, str], vectors: Vectors) -> None:
        """Store texts and their vectors, at most as many as Chroma takes at once, by key."""
        with _reported(self._place):
            self._collection.upsert(
                ids=list(texts),
                metadatas=[{"text": text} for text in texts.values()],  # no full-text index
                embeddings=vectors,
            )
        clear_unused(self._place)

    def vectors(self, keys: Sequence[str]) -> Vectors:
        """Return the vectors of these keys, one row each, in their order."""
        pages: list[Vectors] = []
        with _reported(self._place):
            for batch in batches(keys, _PAGE):
                page = self._collection.get(ids=list(batch), include=["embeddings"])
                stored = dict(zip(page["ids"], np.asarray(page["embeddings"]), strict=True))
                if missing := len(batch) - len(stored):
                    raise ValueError(f"{missing} vectors are missing")
                pages.append(np.array([stored[key] for key in batch], dtype=np.float32))
        return np.concatenate(pages)


@contextmanager
def vector_store(place: CollectionAddress, name: str) -> Iterator[VectorStore]:
    """Open the collection that the address names, or else the one called `name`.

    Raises:
        StorageError: the folder of a run cannot be used.
        KnowledgeBaseError: another database cannot be used, or the collection is not ours.
    """
    try:
        with _connected(place) as client:
            yield VectorStore(client, place, name)
    finally:
        clear_unused(place)


def clear_unused(place: CollectionAddress) -> None:
    """Overwrite with zeros what the graph files of a folder hold beyond the vectors.

    Chroma writes the room for further vectors as it found it in memory, which may hold a key.
    """
    headers = () if place.remote else Path(place.at).glob("*/header.bin")
    with _reported(place):
        for path in headers:
            header = path.read_bytes()
            if len(header) < _HEADER.size:
                continue  # Chroma reports a damaged file
            _, _, capacity, count, size = _HEADER.unpack_from(header)
            for name, width in (("data_level0.bin", size), ("length.bin", _LENGTH)):
                graph = path.with_name(name)
                if capacity * width == graph.stat().st_size and count <= capacity:
                    os.truncate(graph, count * width)
                    os.truncate(graph, capacity * width)


def batches(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Yield the items in order, at most `size` at once."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
