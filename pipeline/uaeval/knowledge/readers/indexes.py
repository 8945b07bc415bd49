"""Read existing indexes as knowledge bases: `qdrant:http://localhost:6333/articles?text=body`.

An address is `<kind>:<folder or URL>/<collection>`, and may name the fields of text, title and id.
Records are read page by page. It is an error if the index returns fewer records than it counts.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final
from urllib.parse import parse_qsl, unquote

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.databases import SCANS, Collection
from uaeval.knowledge.readers.rows import Row, documents_of, fingerprint_of, reported
from uaeval.knowledge.reading import (
    ID_FIELDS,
    INDEXES,
    LoadedDocuments,
    ReadSettings,
    SourceReader,
)

_OPTIONS: Final = frozenset({"text", "title", "id"})


def index_readers() -> Iterator[SourceReader]:
    """Yield the readers of all kinds of indexes."""
    for kind in INDEXES:
        yield SourceReader(prefix=f"{kind}:", read=_read, fingerprint=_fingerprint)


def _read(address: str, settings: ReadSettings) -> LoadedDocuments:
    collection = _collection(address)
    fields: dict[str, Any] = {
        f"{key}_field": name for key, name in collection.fields.items() if name
    }
    settings = replace(settings, **fields)
    with reported(address, INDEXES[collection.kind]):
        return documents_of(_placed(collection, settings), settings)


def _fingerprint(address: str) -> str:
    collection = _collection(address)
    with reported(address, INDEXES[collection.kind]):
        return fingerprint_of(address, SCANS[collection.kind](collection))


def _collection(address: str) -> Collection:
    """Return the collection of an address; raise `KnowledgeBaseError` if its form is wrong."""
    kind, _, rest = address.partition(":")
    path, _, query = rest.partition("?")
    place, _, name = path.rpartition("/")
    options = dict(parse_qsl(query, keep_blank_values=True))
    if not name or not place.strip(":/") or place.endswith(":/") or options.keys() - _OPTIONS:
        raise KnowledgeBaseError(
            f"{address[:200]}: write {kind}:<folder or URL>/<collection>, optionally followed by "
            "?text=<field>&title=<field>&id=<field>"
        )
    return Collection(kind=kind, place=place, name=unquote(name), fields=options)


def _placed(collection: Collection, settings: ReadSettings) -> Iterator[tuple[str, Row]]:
    """Yield the position of each record and the record; raise an error if one has no id."""
    for record in SCANS[collection.kind](collection):
        names = (settings.id_field,) if settings.id_field else ID_FIELDS
        identity = next((record[name] for name in names if record.get(name) is not None), None)
        if identity is None:
            raise KnowledgeBaseError(
                f"{collection.kind}:{collection.place}/{collection.name}: a record has none of the "
                f"fields {', '.join(names)}; its fields: {', '.join(map(str, record))}; give "
                "the id field, as in ?id=key"
            )
        yield f"{collection.name}/{identity}", record
