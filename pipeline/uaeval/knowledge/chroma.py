"""Everything that touches Chroma: connecting, reading a collection, keeping vectors."""

import os
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlsplit

import numpy as np
from numpy.lib.format import open_memmap

from uaeval.errors import KnowledgeBaseError, StorageError
from uaeval.knowledge.embedding import Vectors

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.collection_configuration import CreateHNSWConfiguration
    from chromadb.api.models.Collection import Collection

_PAGE: Final = 1_000
"""Records read at once."""
_EMBEDDED: Final = 256
"""Texts embedded at once."""
_BATCH: Final = 2 * _EMBEDDED
"""Records written at once."""
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


@contextmanager
def _reported(place: CollectionAddress) -> Iterator[None]:
    """Raise Chroma's errors as one error that names the place."""
    import httpx
    from chromadb.errors import ChromaError

    try:
        yield
    except (ChromaError, ValueError, OSError, httpx.HTTPError) as error:
        reason = " ".join(str(error).split())
        if place.own:
            remedy = f"free some space if the disk is full, delete {place.at} and run again"
            told = f"the index {place.at} cannot be used ({reason}); {remedy}"
            raise StorageError(told) from error
        raise KnowledgeBaseError(f"chroma:{place.at}: cannot be used ({reason})") from error


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
    from chromadb.api.shared_system_client import SharedSystemClient
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    with _reported(place):
        if not place.remote:
            try:
                return cast("Client", chromadb.PersistentClient(path=place.at, settings=settings))
            finally:
                # One that failed to start would be kept and fail every time.
                if place.at not in SharedSystemClient._identifier_to_refcount:
                    SharedSystemClient._identifier_to_system.pop(place.at, None)
        url = urlsplit(place.at)
        ssl = url.scheme == "https"
        port = url.port or (443 if ssl else 8000)
        client = chromadb.HttpClient(url.hostname or "", port, ssl, settings=settings)
        return cast("Client", client)


def read_collection(place: CollectionAddress) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield the id, text and metadata of every record of a collection.

    Raises:
        KnowledgeBaseError: the database or the collection does not exist or cannot be read.
    """
    if not place.remote and not (Path(place.at) / "chroma.sqlite3").is_file():
        raise KnowledgeBaseError(f"chroma:{place.at}: no Chroma database in this folder")
    with _connected(place) as client, _reported(place):
        names = sorted(collection.name for collection in client.list_collections())
        if place.collection not in names:
            known = ", ".join(names) or "none"
            raise KnowledgeBaseError(
                f"chroma:{place.at}: no collection {place.collection!r}; its collections: {known}"
            )
        collection = client.get_collection(place.collection, embedding_function=None)
        for offset in range(0, collection.count(), _PAGE):
            page = collection.get(limit=_PAGE, offset=offset, include=["documents", "metadatas"])
            texts, metadatas = page["documents"] or [], page["metadatas"] or []
            for identity, text, metadata in zip(page["ids"], texts, metadatas, strict=True):
                yield identity, text or "", dict(metadata or {})


def store_vectors(
    place: CollectionAddress,
    name: str,
    texts: Mapping[str, str],
    embed: Callable[[Sequence[str]], Vectors],
    file: Path,
) -> None:
    """Make a collection hold these texts and no others; write their vectors to an `.npy` file.

    The collection is the one of the address, or else `name`. Only what it lacks is embedded.

    Raises:
        StorageError: the folder of a run cannot be used.
        KnowledgeBaseError: another database cannot be used, or the collection is not ours.
    """
    from chromadb.errors import ChromaError

    name = place.collection or name
    try:
        with _connected(place) as client, _reported(place):
            collection = _updated(client, place, name, texts, embed)
            try:
                _write_vectors(collection, list(texts), file)
            except (ChromaError, ValueError):  # Chroma lists a key without having its vector
                client.delete_collection(name)
                collection = _updated(client, place, name, texts, embed)
                _write_vectors(collection, list(texts), file)
    finally:
        _clear_unused(place)


def _updated(
    client: "Client",
    place: CollectionAddress,
    name: str,
    texts: Mapping[str, str],
    embed: Callable[[Sequence[str]], Vectors],
) -> "Collection":
    """Open or create the collection, remove other texts from it and add those it lacks."""
    collection = client.get_or_create_collection(
        name, metadata={_MARK: 1}, configuration={"hnsw": _GRAPH}, embedding_function=None
    )
    if (collection.metadata or {}).get(_MARK) != 1:
        raise KnowledgeBaseError(
            f"chroma:{place.at}: uaeval did not create the collection {name!r}; "
            "name another one after the #"
        )
    keys = set(collection.get(include=[])["ids"])
    for batch in _batches(sorted(keys - texts.keys()), _BATCH):
        collection.delete(ids=batch)
    for batch in _batches(sorted(texts.keys() - keys), _BATCH):
        new = [texts[key] for key in batch]
        collection.upsert(
            ids=batch,
            metadatas=[{"text": text} for text in new],  # no full-text index
            embeddings=np.concatenate([embed(part) for part in _batches(new, _EMBEDDED)]),
        )
        _clear_unused(place)
    return collection


def _write_vectors(collection: "Collection", keys: list[str], file: Path) -> None:
    vectors: Vectors | None = None
    for start, batch in zip(range(0, len(keys), _PAGE), _batches(keys, _PAGE), strict=True):
        page = collection.get(ids=batch, include=["embeddings"])
        stored = dict(zip(page["ids"], np.asarray(page["embeddings"]), strict=True))
        if missing := len(batch) - len(stored):
            raise ValueError(f"{missing} vectors are missing")
        rows = np.array([stored[key] for key in batch], dtype=np.float32)
        if vectors is None:
            vectors = open_memmap(file, "w+", np.float32, (len(keys), rows.shape[1]))
        vectors[start : start + len(rows)] = rows


def _clear_unused(place: CollectionAddress) -> None:
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


def _batches(items: list[str], size: int) -> Iterator[list[str]]:
    """Yield the items in order, at most `size` at once."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
