"""Extract the article of a page with trafilatura; merge copies of one story on several sites."""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

from uaeval.errors import FetchError
from uaeval.knowledge.markup import text_of_html, with_placeholders
from uaeval.knowledge.readers.html import main_text
from uaeval.knowledge.reading import Content, day_of
from uaeval.records import Document, Rejection
from uaeval.text.language import language_of
from uaeval.text.words import tokens

WORDS: Final = 5
"""Number of words in a shingle."""
SHARED: Final = 0.6
"""Share of the shorter article's shingles in the longer one from which on they are copies."""
_MOST_TAGS: Final = 50_000
"""Most tags of a page. News pages have a few thousand; trafilatura takes quadratic time."""
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Control characters, marks of writing direction, and invisible characters."""
_LONGEST_TITLE: Final = 300


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


def extract(html: str, url: str) -> Content:
    """Return the article of a page; raise `FetchError` if it has none, or too many tags.

    The address is the canonical one if that is on the same host. Comments are excluded and
    precision is preferred, because text about other articles would look like facts of this one.
    """
    import trafilatura

    if html.count("<") > _MOST_TAGS:
        raise FetchError("extract", f"{url}: the page has more than {_MOST_TAGS:,} tags")
    text = clean_text(main_text(html, url=url, favor_precision=True)).strip()
    if not text:
        raise FetchError("extract", f"{url}: no article was found on the page")
    dates = {"original_date": True, "extensive_search": False, "outputformat": "%Y-%m-%d"}
    meta = trafilatura.extract_metadata(html, default_url=url, date_config=dates)
    return Content(
        title=clean_title(meta.title or "") or None if meta else None,
        text=text,
        date=day_of(meta.date) if meta else None,
        url=_canonical(meta.url if meta else None, url) or None,
    )


def _canonical(stated: str | None, url: str) -> str:
    """Return the address that a page states, if it has the same host; otherwise `url`."""
    if not stated or not url:
        return stated or url
    try:
        hosts = {(urlsplit(each).hostname or "").removeprefix("www.") for each in (stated, url)}
    except ValueError:
        return url
    return stated if len(hosts) == 1 and urlsplit(stated).scheme in ("http", "https") else url


def clean_title(text: str) -> str:
    """Return a title in one line of limited length, without markup, even if it was escaped."""
    text = text[: 10 * _LONGEST_TITLE]
    for _ in range(4):  # it may have been escaped several times
        text = " ".join(text_of_html(with_placeholders(text)).split())
    return clean_text(text).strip()[:_LONGEST_TITLE]


def clean_text(text: str) -> str:
    """Return a text without invisible characters, except for line breaks and tabs."""
    return _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


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
        words = tokens(article.text)
        starts = range(max(1, len(words) - WORDS + 1))
        shingles = {hash(words[start : start + WORDS]) for start in starts}
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


def _copied(shingles: set[int], postings: dict[int, set[int]], sizes: Sequence[int]) -> int | None:
    """Return the index of the article that shares most shingles, if the two are copies."""
    shared = Counter(index for shingle in shingles for index in postings.get(shingle, ()))
    for index, count in sorted(shared.items(), key=lambda entry: (-entry[1], entry[0])):
        if count >= SHARED * min(len(shingles), sizes[index]):
            return index
    return None


def _merged(first: Article, second: Article) -> tuple[Article, Rejection]:
    longer, copy = (second, first) if len(second.text) > len(first.text) else (first, second)
    name, rationale = copy.url or copy.id, f"a copy of {longer.url or longer.id}"
    merged = replace(longer, also_at=(*first.also_at, *second.also_at, name))
    return merged, Rejection(id=name, check="duplicate", rationale=rationale)
