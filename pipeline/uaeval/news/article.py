"""The record of an outside article, as it is kept with the run."""

import hashlib
from dataclasses import dataclass

from uaeval.news.cleaning import clean_text, clean_title
from uaeval.records import Document
from uaeval.text.language import language_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One outside document that `out_of_database` queries are written from."""

    id: str
    """That of the document and of its chunks."""
    title: str
    text: str
    url: str | None
    """Its web address; `None` if it has none."""
    date: str | None
    """Day of publication, `2026-03-14`; `None` if unknown."""
    language: str
    """ISO 639-1."""
    source: str
    """The entry of `--news` that gave it."""
    sha256: str
    """Of the text, as UTF-8."""
    also_at: tuple[str, ...] = ()
    """Addresses (or ids) of further copies, folded into this one."""

    @property
    def document(self) -> Document:
        """The article as a document to be chunked."""
        return Document(
            id=self.id,
            title=self.title,
            text=self.text,
            source=self.url or self.id,
            date=self.date,
            url=self.url,
        )


def article_of(document: Document, source: str) -> Article:
    """Return the article of a document that an entry of `--news` gave."""
    text = clean_text(document.text)
    return Article(
        id=document.id,
        title=clean_title(document.title) or document.id,
        text=text,
        url=document.url,
        date=document.date,
        language=language_of(text),
        source=source,
        sha256=hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
    )
