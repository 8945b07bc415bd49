"""The vocabulary of reading: what was read, what was left out, and how it was asked for."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from uaeval.errors import UaevalError
from uaeval.records import Document

ID_FIELDS = ("_id", "id", "doc_id", "docid", "document_id", "pid")
TITLE_FIELDS = ("title", "name", "headline", "heading")
DATE_FIELDS = (
    "date", "published", "published_at", "publication_date", "pubdate", "date_published",
    "updated", "updated_at", "last_updated", "last_modified", "lastmod", "modified", "timestamp",
)  # fmt: skip
URL_FIELDS = ("url", "link", "canonical_url", "source_url")
TEXT_FIELDS = ("text", "content", "body", "contents", "page_content", "passage", "document")
INDEXES: Final[Mapping[str, tuple[str, str | None]]] = {
    "chroma": ("chroma", None),
    "qdrant": ("qdrant", "qdrant"),
    "lancedb": ("lance", "lancedb"),
    "postgres": ("postgres", "postgres"),
    "postgresql": ("postgres", "postgres"),
    "elasticsearch": ("elastic", None),
    "opensearch": ("elastic", None),
}
"""The module of `readers` whose `scan` yields the records of a kind of index, and the extra that
installs its client; addresses begin with the kind."""
_ISO: Final = re.compile(r"\s*(\d{4}-\d{2}-\d{2}|\d{8})(?:\D.*)?", re.DOTALL)
_MILLISECONDS_FROM: Final = 100_000_000_000
"""A larger number of seconds would be past the year 5000."""


class UnusableFile(UaevalError):  # noqa: N818 - it is skipped and counted, not a fault of the run
    """One document cannot be used; it is left out, named and counted. Never leaves `load`."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a file holds; `title` is `None` if it names none."""

    title: str | None
    text: str
    date: str | None = None
    """The day that it says it is of, `2026-03-14`."""
    url: str | None = None
    """The address that it says it has."""
    id: str | None = None
    """The id that it had when it was written to a file."""


def day_of(value: object) -> str | None:
    """Return a day as `2026-03-14`; `None` if the value tells none that can be relied on.

    Dates and times, ISO 8601 (with or without hyphens), the dates of e-mail and RSS, and seconds or
    milliseconds since 1970 are read. `03/04/2026` is not: it may be of March or of April.
    """
    if isinstance(value, datetime):
        return (value.astimezone(UTC) if value.tzinfo else value).date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    seconds = value / 1000 if value >= _MILLISECONDS_FROM else value
    if not 0 < seconds < _MILLISECONDS_FROM:
        return None
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _from_text(value: str) -> str | None:
    match = _ISO.fullmatch(value[:64])
    try:
        day = date.fromisoformat(match[1]) if match else parsedate_to_datetime(value[:64])
        return day.isoformat()[:10]
    except (ValueError, IndexError, OverflowError):
        return None


def day_in(values: Mapping[str, object]) -> str | None:
    """Return the day among the named values of a row or of a front matter."""
    days = (day_of(value) for name in DATE_FIELDS if (value := values.get(name)) is not None)
    return next((day for day in days if day), None)


def address_in(values: Mapping[str, object]) -> str | None:
    """Return the web address among the named values of a row or of a front matter."""
    given = (str(values[name]).strip() for name in URL_FIELDS if name in values)
    return next((url for url in given if url.startswith(("http://", "https://"))), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSettings:
    """How a knowledge base is read."""

    id_field: str | None = None
    """Column of a row's id; guessed among `ID_FIELDS` if not given, else the row number."""
    title_field: str | None = None
    text_field: str | None = None
    max_file_bytes: int = 20_000_000
    """A larger file is skipped unread, unless it holds rows; so is a longer row."""
    follow_links: bool = False
    """Whether symbolic links out of a folder are followed."""
    converters: Mapping[str, Callable[[bytes], Content]] = field(default_factory=dict)
    """How files are read that end so (`.html`), where it is to be otherwise than usual."""
    engine: str = "local"
    """Where the files of a folder are read: `local`, or `ray[:address]`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReader:
    """Reads one kind of file. It runs in a process of its own, with limits of time and memory."""

    suffixes: tuple[str, ...]
    """Endings of file names in lower case, for example `(".org",)`."""
    convert: Callable[[bytes], Content]
    """Returns title and text of a file. Raises `UnusableFile` with the reason why it cannot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedFile:
    """Something of the knowledge base that was left out, and why."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedDocuments:
    """The documents of a knowledge base, sorted by id, and what was left out."""

    documents: tuple[Document, ...]
    skipped: tuple[SkippedFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReader:
    """Reads documents from an address such as `notes:work`."""

    prefix: str
    """What addresses begin with, for example `notes:`."""
    read: Callable[[str, ReadSettings], LoadedDocuments]
    """Returns the documents of an address. Raises `KnowledgeBaseError` if it cannot be read."""
    fingerprint: Callable[[str], str]
    """Returns a hash that changes if the documents do; it may cost less than reading them."""
