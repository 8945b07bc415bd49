"""Read existing indexes as knowledge bases: `qdrant:http://localhost:6333/articles?text=body`.

An address is `<kind>:<folder or URL>/<collection>`, and may name the fields of text, title and id.
Records are read page by page. It is an error if an index returns another number of records than it
counts; PostgreSQL, which reads them in one transaction, is not asked for their number.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import httpx

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.rows import Row, documents_of, fingerprint_of, reported
from uaeval.knowledge.reading import ID_FIELDS, INDEXES, LoadedDocuments, ReadSettings, SourceReader

_PAGE: Final = 1_000
"""Number of records that are read at once."""
_TIMEOUT_S: Final = 60
_SCROLL_KEPT: Final = "5m"
_TYPES: Final = frozenset(
    "text varchar bpchar name int2 int4 int8 float4 float8 numeric bool uuid date timestamp "
    "timestamptz json jsonb".split()
)
"""The types of columns of PostgreSQL that are read: texts, numbers, dates and JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Collection:
    """A collection, as its address names it."""

    kind: str
    place: str
    """The folder or the URL of the database."""
    name: str
    fields: Mapping[str, Any]
    """The settings that the address makes: `text_field`, `title_field` and `id_field`."""

    @property
    def remote(self) -> bool:
        """Whether the database is a server."""
        return self.place.startswith(("http://", "https://"))

    def check_folder(self, part: str) -> None:
        """Raise `KnowledgeBaseError` if the folder lacks a part, which opening would create."""
        if not Path(self.place, part).exists():
            raise KnowledgeBaseError(f"{self.kind}:{self.place}: no {self.kind} database is there")

    def check_name(self, names: Iterable[str]) -> None:
        """Raise `KnowledgeBaseError` if the database has only collections of other names."""
        if self.name not in (known := sorted(names)):
            raise KnowledgeBaseError(
                f"{self.kind}:{self.place}: no collection {self.name!r}; its collections: "
                f"{', '.join(known) or 'none'}"
            )


def _chroma(collection: _Collection) -> Iterator[Row]:
    """Yield the metadata of each record, with its document as `text` and its id as `_id`."""
    import chromadb
    from chromadb.api.client import Client
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
    client = cast(Client, opened)
    try:
        collection.check_name(stored.name for stored in client.list_collections())
        stored = client.get_collection(collection.name, embedding_function=None)
        yield from _counted(_chroma_records(stored), stored.count())
    finally:
        client.close()
        for part in (client, client._admin_client):  # the client does not close these sessions
            session = getattr(getattr(part, "_server", None), "_session", None)
            if isinstance(session, httpx.Client):
                session.close()


def _chroma_records(stored: Any) -> Iterator[Row]:
    read = partial(stored.get, limit=_PAGE, include=["documents", "metadatas"])
    offset = 0
    while (page := read(offset=offset))["ids"]:
        records = zip(page["ids"], page["documents"], page["metadatas"], strict=True)
        for identity, text, metadata in records:
            yield {**(metadata or {}), **({"text": text} if text else {}), "_id": identity}
        offset += len(page["ids"])


def _qdrant(collection: _Collection) -> Iterator[Row]:
    """Yield the payload of each point, with its id as `_id`."""
    from qdrant_client import QdrantClient

    if collection.remote:
        place, key = collection.place, os.environ.get("QDRANT_API_KEY")
        client = QdrantClient(url=place, api_key=key, timeout=_TIMEOUT_S, check_compatibility=False)
    else:
        collection.check_folder("meta.json")
        client = QdrantClient(path=collection.place)

    def points() -> Iterator[Row]:
        offset = None
        while True:
            page, offset = client.scroll(collection.name, limit=_PAGE, offset=offset)
            for point in page:
                yield {**(point.payload or {}), "_id": point.id}
            if offset is None:
                return

    with closing(client):
        collection.check_name(stored.name for stored in client.get_collections().collections)
        yield from _counted(points(), client.count(collection.name, exact=True).count)


def _lancedb(collection: _Collection) -> Iterator[Row]:
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
    batches = table.search().select(columns).to_batches(_PAGE)
    yield from _counted((row for batch in batches for row in batch.to_pylist()), table.count_rows())


def _postgres(collection: _Collection) -> Iterator[Row]:
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
            cursor.itersize = _PAGE
            cursor.execute(sql.SQL("SELECT {} FROM {}").format(columns, table))
            yield from cursor


def _elasticsearch(collection: _Collection) -> Iterator[Row]:
    """Yield the source of each document, with its id as `_id`, by the scroll API.

    OpenSearch has the same. A key, or a user name and password, are read from the environment.
    """
    kind = collection.kind.upper()
    key, user = os.environ.get(f"{kind}_API_KEY"), os.environ.get(f"{kind}_USERNAME")
    login = (user, os.environ.get(f"{kind}_PASSWORD", "")) if user else None
    headers = {"authorization": f"ApiKey {key}"} if key else {}
    place = collection.place
    with httpx.Client(base_url=place, headers=headers, auth=login, timeout=_TIMEOUT_S) as client:
        page = _ask(
            client,
            f"/{quote(collection.name)}/_search?scroll={_SCROLL_KEPT}",
            {"size": _PAGE, "sort": ["_doc"], "track_total_hits": True},
        )
        try:
            yield from _counted(_hits(client, page), page["hits"]["total"]["value"])
        finally:
            client.request("DELETE", "/_search/scroll", json={"scroll_id": page["_scroll_id"]})


def _hits(client: httpx.Client, page: dict[str, Any]) -> Iterator[Row]:
    while hits := page["hits"]["hits"]:
        for hit in hits:
            yield {**hit.get("_source", {}), "_id": hit["_id"]}
        body = {"scroll": _SCROLL_KEPT, "scroll_id": page["_scroll_id"]}
        page = _ask(client, "/_search/scroll", body)


def _ask(client: httpx.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = client.post(path, json=body)
    if not response.is_success:
        raise KnowledgeBaseError(
            f"{response.url}: HTTP {response.status_code} ({response.text[:300]})"
        )
    page: dict[str, Any] = response.json()
    if page["timed_out"] or page["_shards"]["failed"]:
        failed = page["_shards"]["failed"]
        raise KnowledgeBaseError(f"{response.url}: {failed} shards failed, or it timed out")
    return page


def _counted(records: Iterable[Row], number: int) -> Iterator[Row]:
    """Yield the records; raise `KnowledgeBaseError` if there are not `number` of them."""
    read = 0
    for record in records:
        read += 1
        yield record
    if read != number:
        raise KnowledgeBaseError(
            f"{read:,} records were read, but the index counts {number:,}; if it is being updated, "
            "run again later"
        )


_SCANS: Final[Mapping[str, Callable[[_Collection], Iterator[Row]]]] = {
    "chroma": _chroma,
    "qdrant": _qdrant,
    "lancedb": _lancedb,
    **dict.fromkeys(("postgres", "postgresql"), _postgres),
    **dict.fromkeys(("elasticsearch", "opensearch"), _elasticsearch),
}
"""The functions that yield the records of a collection, by the kind in its address."""


def _read(address: str, settings: ReadSettings) -> LoadedDocuments:
    collection = _collection(address)
    settings = replace(settings, **collection.fields)
    with reported(address, INDEXES[collection.kind]):
        return documents_of(address, _placed(collection, settings), settings)


def _fingerprint(address: str) -> str:
    collection = _collection(address)
    with reported(address, INDEXES[collection.kind]):
        return fingerprint_of(address, _SCANS[collection.kind](collection))


def _collection(address: str) -> _Collection:
    kind, _, rest = address.partition(":")
    path, _, query = rest.partition("?")
    place, _, name = path.rpartition("/")
    options = dict(parse_qsl(query, keep_blank_values=True))
    unknown = options.keys() - {"text", "title", "id"}
    if not name or not place.strip(":/") or place.endswith(":/") or unknown:
        raise KnowledgeBaseError(
            f"{address[:200]}: write {kind}:<folder or URL>/<collection>, optionally followed by "
            "?text=<field>&title=<field>&id=<field>"
        )
    fields = {f"{key}_field": name for key, name in options.items() if name}
    return _Collection(kind=kind, place=place, name=unquote(name), fields=fields)


def _placed(collection: _Collection, settings: ReadSettings) -> Iterator[tuple[str, Row]]:
    for record in _SCANS[collection.kind](collection):
        names = (settings.id_field,) if settings.id_field else ID_FIELDS
        identity = next((record[name] for name in names if record.get(name) is not None), None)
        if identity is None:
            raise KnowledgeBaseError(
                f"{collection.kind}:{collection.place}/{collection.name}: a record has none of the "
                f"fields {', '.join(names)}; its fields: {', '.join(map(str, record))}; give "
                "the id field, as in ?id=key"
            )
        yield f"{collection.name}/{identity}", record


INDEX_READERS: Final = tuple(
    SourceReader(prefix=f"{kind}:", read=_read, fingerprint=_fingerprint) for kind in INDEXES
)
