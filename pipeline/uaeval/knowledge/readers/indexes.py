"""Read existing indexes as knowledge bases: `qdrant:http://localhost:6333/articles?text=body`.

An address is `<kind>:<folder or URL>/<collection>`, and may name the fields of text, title and id.
Records are read page by page. It is an error if the index returns fewer records than it counts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.rows import Row, documents_of, fingerprint_of
from uaeval.knowledge.readers.source_errors import reported
from uaeval.knowledge.reading import (
    ID_FIELDS,
    INDEXES,
    LoadedDocuments,
    ReadSettings,
    SourceReader,
)

PAGE: Final = 1_000
"""Number of records that are read at once."""
_OPTIONS: Final = frozenset({"text", "title", "id"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """A collection, table or index of a database."""

    kind: str
    """`qdrant`, `postgres`, …"""
    place: str
    """The folder or the URL of the database."""
    name: str
    fields: Mapping[str, str]
    """The names of fields in the address, by `text`, `title` and `id`."""

    @property
    def remote(self) -> bool:
        """Whether the database is a server."""
        return self.place.startswith(("http://", "https://"))

    def missing(self, names: Iterable[str]) -> KnowledgeBaseError:
        """Return the error for a database with only collections of these other names."""
        known = ", ".join(sorted(names)) or "none"
        return KnowledgeBaseError(
            f"{self.kind}:{self.place}: no collection {self.name!r}; its collections: {known}"
        )

    def check_folder(self, part: str) -> None:
        """Raise `KnowledgeBaseError` if the folder lacks a part, which opening would create."""
        if not Path(self.place, part).exists():
            raise KnowledgeBaseError(f"{self.kind}:{self.place}: no {self.kind} database is there")


def index_readers() -> Iterator[SourceReader]:
    """Yield the readers of all kinds of indexes."""
    for kind in INDEXES:
        yield SourceReader(
            prefix=f"{kind}:", read=partial(_read, kind), fingerprint=partial(_fingerprint, kind)
        )


def counted(records: Iterable[Row], number: int) -> Iterator[Row]:
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


def collection_at(kind: str, address: str) -> Collection:
    """Return the collection of an address; raise `KnowledgeBaseError` if its form is wrong."""
    path, _, query = address.removeprefix(f"{kind}:").partition("?")
    place, _, name = path.rpartition("/")
    options = dict(parse_qsl(query, keep_blank_values=True))
    if not name or not place.strip(":/") or place.endswith(":/") or options.keys() - _OPTIONS:
        raise KnowledgeBaseError(
            f"{address[:200]}: write {kind}:<folder or URL>/<collection>, optionally followed by "
            "?text=<field>&title=<field>&id=<field>"
        )
    return Collection(kind=kind, place=place, name=unquote(name), fields=options)


def _scan(collection: Collection) -> Iterator[Row]:
    name, _ = INDEXES[collection.kind]
    module = import_module(f"{__package__}.{name}")
    scan: Callable[[Collection], Iterator[Row]] = module.scan
    return scan(collection)


def _read(kind: str, address: str, settings: ReadSettings) -> LoadedDocuments:
    collection = collection_at(kind, address)
    in_address = collection.fields
    fields = replace(
        settings,
        text_field=in_address.get("text") or settings.text_field,
        title_field=in_address.get("title") or settings.title_field,
        id_field=in_address.get("id") or settings.id_field,
    )
    with reported(address, INDEXES[kind][1]):
        return documents_of(_placed(_scan(collection), collection, fields), fields)


def _placed(
    records: Iterator[Row], collection: Collection, fields: ReadSettings
) -> Iterator[tuple[str, Row]]:
    """Yield the position of each record and the record; raise an error if one has no id."""
    for record in records:
        names = (fields.id_field,) if fields.id_field else ID_FIELDS
        identity = next((record[name] for name in names if record.get(name) is not None), None)
        if identity is None:
            raise KnowledgeBaseError(
                f"{collection.kind}:{collection.place}/{collection.name}: a record has none of the "
                f"fields {', '.join(names)}; its fields: {', '.join(map(str, record))}; give "
                "the id field, as in ?id=key"
            )
        yield f"{collection.name}/{identity}", record


def _fingerprint(kind: str, address: str) -> str:
    with reported(address, INDEXES[kind][1]):
        return fingerprint_of(address, _scan(collection_at(kind, address)))
