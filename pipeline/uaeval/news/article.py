"""Records of outside articles; copies of one story on several sites are merged."""

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
"""Number of words in a shingle."""
SHARED: Final = 0.6
"""Share of the shorter article's shingles in the longer one from which on they are copies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """An outside document that `out_of_database` queries are written from."""

    id: str
    """The id of the document, with which the ids of its chunks begin."""
    title: str
    text: str
    url: str | None
    """Web address; `None` if there is none."""
    date: str | None
    """Day of publication, such as `2026-03-14`; `None` if unknown."""
    language: str
    """ISO 639-1 code."""
    source: str
    """The entry of `--news` that the article is from."""
    sha256: str
    """Hash of the text, as UTF-8."""
    also_at: tuple[str, ...] = ()
    """Addresses (or ids) of copies that were merged into this article."""

    @property
    def document(self) -> Document:
        """The article as a document."""
        return Document(
            id=self.id,
            title=self.title,
            text=self.text,
            source=self.url or self.id,
            date=self.date,
            url=self.url,
        )


def article_of(document: Document, source: str) -> Article:
    """Return a document from `source`, an entry of `--news`, as an article."""
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
    """Return the longest article of each story, and the rejections of its copies.

    The longest article takes the position of the story's first one, and lists the copies.
    """
    kept: list[Article] = []
    postings: defaultdict[int, set[int]] = defaultdict(set)
    sizes: list[int] = []
    copies: list[Rejection] = []
    for article in articles:
        shingles = _shingles(article.text)
        index = _copied(shingles, postings, sizes)
        if index is None:
            index = len(kept)
            kept.append(article)
            sizes.append(len(shingles))
        else:
            kept[index], dropped = _merged(kept[index], article)
            sizes[index] = max(sizes[index], len(shingles))
            copies.append(dropped)
        for shingle in shingles:
            postings[shingle].add(index)
    return kept, copies


def _shingles(text: str) -> set[int]:
    words = tokens(text)
    return {hash(words[i : i + WORDS]) for i in range(max(1, len(words) - WORDS + 1))}


def _copied(shingles: set[int], postings: dict[int, set[int]], sizes: Sequence[int]) -> int | None:
    """Return the index of the article that shares most shingles, if the two are copies."""
    shared = Counter(index for shingle in shingles for index in postings.get(shingle, ()))
    for index, count in sorted(shared.items(), key=lambda entry: (-entry[1], entry[0])):
        if count >= SHARED * min(len(shingles), sizes[index]):
            return index
    return None


def _merged(first: Article, second: Article) -> tuple[Article, Rejection]:
    longer, copy = (second, first) if len(second.text) > len(first.text) else (first, second)
    also_at = (*first.also_at, *second.also_at, copy.url or copy.id)
    rationale = f"a copy of {longer.url or longer.id}"
    return replace(longer, also_at=also_at), Rejection(
        id=copy.url or copy.id, check="duplicate", rationale=rationale
    )
