"""The vocabulary of reading: what was read, what was left out, and how it was asked for."""

from dataclasses import dataclass

from uaeval.errors import UaevalError
from uaeval.types import Document

ID_FIELDS = ("_id", "id", "doc_id", "docid", "document_id", "pid")
TITLE_FIELDS = ("title", "name", "headline", "heading")
TEXT_FIELDS = ("text", "content", "body", "contents", "page_content", "passage", "document")


class UnusableFile(UaevalError):  # noqa: N818 - it is skipped and counted, not a fault of the run
    """One document cannot be used; it is left out, named and counted. Never leaves `load`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSettings:
    """How a knowledge base is read."""

    id_field: str | None = None
    """Column of a row's id; guessed among `ID_FIELDS` if not given, else the row number."""
    title_field: str | None = None
    text_field: str | None = None
    max_file_bytes: int = 20_000_000
    """A larger text, Markdown, HTML, PDF or Word file is skipped unread; so is a longer row."""
    max_rows: int = 200_000
    """Rows after this many are not read, and that is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Something of the knowledge base that was left out, and why."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The documents of a knowledge base, sorted by id, and what was left out."""

    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...]
