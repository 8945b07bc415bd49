"""The record of an outside article; copies of one story on many sites are one article."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from uaeval.news.extract import clean_text, clean_title
from uaeval.records import Document, Rejection
from uaeval.text.language import language_of
from uaeval.text.words import tokens

WORDS: Final = 5
"""Words of a shingle."""
SHARED: Final = 0.6
"""Share of the shorter article's shingles that stand in the longer one: from here on, a copy."""


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


def fold(articles: Sequence[Article]) -> tuple[list[Article], list[Rejection]]:
    """Keep the longest of each story, in the place of its first, with where the others stand.

    The articles without copies come in their order, and after them the copies.
    """
    kept: list[Article] = []
    holders: defaultdict[int, set[int]] = defaultdict(set)
    sizes: list[int] = []
    copies: list[Rejection] = []
    for article in articles:
        shingles = _shingles(article.text)
        place = _copied(shingles, holders, sizes)
        if place is None:
            place = len(kept)
            kept.append(article)
            sizes.append(len(shingles))
        else:
            kept[place], dropped = _merged(kept[place], article)
            sizes[place] = max(sizes[place], len(shingles))
            copies.append(dropped)
        for shingle in shingles:
            holders[shingle].add(place)
    return kept, copies


def _shingles(text: str) -> set[int]:
    said = tokens(text)
    return {hash(said[i : i + WORDS]) for i in range(max(1, len(said) - WORDS + 1))}


def _copied(shingles: set[int], holders: dict[int, set[int]], sizes: Sequence[int]) -> int | None:
    """Return the place of the article that shares most with this one, if it is enough."""
    shared = Counter(place for shingle in shingles for place in holders.get(shingle, ()))
    for place, count in sorted(shared.items(), key=lambda entry: (-entry[1], entry[0])):
        if count >= SHARED * min(len(shingles), sizes[place]):
            return place
    return None


def _merged(first: Article, second: Article) -> tuple[Article, Rejection]:
    longer, copy = (second, first) if len(second.text) > len(first.text) else (first, second)
    also_at = (*first.also_at, *second.also_at, copy.url or copy.id)
    rationale = f"a copy of {longer.url or longer.id}"
    return replace(longer, also_at=also_at), Rejection(
        id=copy.url or copy.id, check="duplicate", rationale=rationale
    )
