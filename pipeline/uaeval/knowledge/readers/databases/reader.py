"""Read existing indexes as knowledge bases: `qdrant:http://localhost:6333/articles?text=body`.

An address is `<kind>:<folder or URL>/<collection>`, and may name the fields of text, title and id.
Records are read page by page. It is an error if the index returns fewer records than it counts.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import parse_qsl, unquote

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.databases import chroma, elastic, lance, postgres, qdrant
from uaeval.knowledge.readers.databases.collection import Collection
from uaeval.knowledge.readers.rows import Row, documents_of, fingerprint_of, reported
from uaeval.knowledge.reading import ID_FIELDS, INDEXES, LoadedDocuments, ReadSettings, SourceReader

_SCANS: Final[Mapping[str, Callable[[Collection], Iterator[Row]]]] = {
    "chroma": chroma.scan,
    "qdrant": qdrant.scan,
    "lancedb": lance.scan,
    "postgres": postgres.scan,
    "postgresql": postgres.scan,
    "elasticsearch": elastic.scan,
    "opensearch": elastic.scan,
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


def _collection(address: str) -> Collection:
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
    return Collection(kind=kind, place=place, name=unquote(name), fields=fields)


def _placed(collection: Collection, settings: ReadSettings) -> Iterator[tuple[str, Row]]:
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
