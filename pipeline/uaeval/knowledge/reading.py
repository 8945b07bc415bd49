"""Types for reading knowledge bases: settings, results, readers, and how fields are found."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from uaeval.errors import UaevalError
from uaeval.records import Document
from uaeval.resources import shipped_table

ID_FIELDS, TITLE_FIELDS, TEXT_FIELDS, DATE_FIELDS, URL_FIELDS = (
    tuple[str, ...](names.split()) for names in shipped_table("knowledge/fields.yaml").values()
)
INDEXES: Final[Mapping[str, str | None]] = shipped_table("knowledge/readers/databases.yaml")
"""The kinds that addresses of an index begin with, and the extra that installs the client."""
_ISO: Final = re.compile(r"\s*(\d{4}-\d{2}-\d{2}|\d{8})(?:\D.*)?", re.DOTALL)
_MILLISECONDS_FROM: Final = 100_000_000_000
"""Larger numbers are milliseconds; as seconds they would be after the year 5000."""


class UnusableFile(UaevalError):  # noqa: N818 - it is counted, and does not stop the run
    """A document cannot be used. `load` catches it, skips the document and reports the reason."""


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a file; `title` is `None` if the file has none."""

    title: str | None
    text: str
    date: str | None = None
    """The day that the file states, such as `2026-03-14`."""
    url: str | None = None
    """The web address that the file states."""
    id: str | None = None
    """The id that `write_folder` stored in the file."""


def day_of(value: object) -> str | None:
    """Return the day of a value as `2026-03-14`; `None` if it has no unambiguous day.

    Supported are dates and times, ISO 8601 (with or without hyphens), the dates of e-mail and RSS,
    and seconds or milliseconds since 1970. `03/04/2026` may be in March or in April.
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
    """Return the first day in the date fields of a row or front matter."""
    days = (day_of(value) for name in DATE_FIELDS if (value := values.get(name)) is not None)
    return next((day for day in days if day), None)


def address_in(values: Mapping[str, object]) -> str | None:
    """Return the first web address in the URL fields of a row or front matter."""
    urls = (str(values[name]).strip() for name in URL_FIELDS if name in values)
    return next((url for url in urls if url.startswith(("http://", "https://"))), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSettings:
    """How a knowledge base is read."""

    id_field: str | None = None
    """Field with a row's id; `None`: the first of `ID_FIELDS`, or else the row number."""
    title_field: str | None = None
    text_field: str | None = None
    max_file_bytes: int = 20_000_000
    """Larger files are skipped unread, unless they consist of rows; so are longer rows."""
    follow_links: bool = False
    """Whether symbolic links out of a folder are followed."""
    converters: Mapping[str, Callable[[bytes], Content]] = field(default_factory=dict)
    """Functions that replace the usual reader of files with an ending such as `.html`."""
    engine: str = "local"
    """Where the files of a folder are read: `local`, or `ray[:address]`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReader:
    """Reads one kind of file. It runs in a separate process, with limits of time and memory."""

    suffixes: tuple[str, ...]
    """Endings of file names in lower case, for example `(".org",)`."""
    convert: Callable[[bytes], Content]
    """Returns title and text of a file; raises `UnusableFile` with the reason if it cannot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedFile:
    """A file or row of the knowledge base that was skipped, and why."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedDocuments:
    """The documents of a knowledge base, sorted by id, and the skipped files and rows."""

    documents: tuple[Document, ...]
    skipped: tuple[SkippedFile, ...]
    unread_fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The names of the fields of rows that were not read, by file or address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReader:
    """Reads documents from an address such as `notes:work`."""

    prefix: str
    """The beginning of its addresses, for example `notes:`."""
    read: Callable[[str, ReadSettings], LoadedDocuments]
    """Returns the documents of an address. Raises `KnowledgeBaseError` if it cannot be read."""
    fingerprint: Callable[[str], str]
    """Returns a hash that changes with the documents; it need not read them."""
