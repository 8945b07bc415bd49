"""Where outside articles come from: feeds, searches, and what lies on this machine or a hub.

Each source gives either entries of feeds, which are fetched, or whole documents.
"""

import asyncio
import io
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, zip_longest
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qs, quote, urljoin, urlsplit

from uaeval.errors import FetchError
from uaeval.knowledge.decoding import decode_page
from uaeval.knowledge.documents import load
from uaeval.knowledge.reading import Content, ReadSettings, UnusableFile, day_of
from uaeval.news.extract import clean_title, extract
from uaeval.news.fetch import Fetcher
from uaeval.news.page import FEEDS, Page
from uaeval.news.places import QUERY, READY, is_web
from uaeval.records import Document, Failure, Rejection
from uaeval.redaction import expand

_MOST_MARKS: Final = 200_000
"""Tags and escapes of a feed; feedparser takes some fifty microseconds for each."""
_LONG_TAG: Final = re.compile(r"<[^<>]{20000}")
_ENTITY: Final = re.compile(r"<!ENTITY", re.IGNORECASE)
_DECLARATION: Final = re.compile(r"\A\s*<\?xml[^>]*\?>")


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """An article that a feed names, not fetched yet."""

    url: str
    title: str
    date: str | None
    """Day of publication."""
    publisher: str
    """Who published it, if the feed is of another's articles."""


Found: TypeAlias = FeedEntry | Document | Rejection | Failure
"""What a source gives: what an article is made of, or why there is none."""


@dataclass(frozen=True, slots=True)
class Source:
    """An entry of `--news`: a feed, a search that gives a feed for each topic, or local documents.

    Local are a folder or file of html or text, rows of jsonl or the like, and a dataset of a hub.
    """

    name: str
    settings: ReadSettings

    async def find(self, web: Fetcher | None, topics: Sequence[str]) -> list[Found]:
        """Return documents by id, the latest articles of a feed, or those of each topic in turn.

        An address that cannot be read is a failure among them; `web` may be `None` for local
        documents.

        Raises:
            KnowledgeBaseError: local documents are missing, or cannot be used.
        """
        if web is None or not is_web(self.name):
            loaded = await asyncio.to_thread(load, self.name, settings=self.settings)
            unread = [(f"{self.name}/{file.source}", file.reason) for file in loaded.skipped]
            return [
                *loaded.documents,
                *(Rejection(id=place, check="unreadable", rationale=why) for place, why in unread),
            ]
        address = READY.get(self.name, self.name)
        searched = QUERY in address
        queries = [quote(topic, safe="") for topic in topics] if searched else [""]
        feeds = await asyncio.gather(
            *(_read(web, address.replace(QUERY, query)) for query in queries)
        )
        rows = zip_longest(*(feed for feed in feeds if not isinstance(feed, Failure)))
        entries = [entry for entry in chain.from_iterable(rows) if entry is not None]
        if not searched:
            entries.sort(key=lambda entry: entry.date or "", reverse=True)
        return [*entries, *(feed for feed in feeds if isinstance(feed, Failure))]


async def _read(web: Fetcher, address: str) -> tuple[FeedEntry, ...] | Failure:
    try:
        page = await web.get(expand(address, "news", in_url=True), types=FEEDS)
        return await asyncio.to_thread(read_feed, page)
    except FetchError as error:
        return Failure(id=address, stage="find", kind=error.kind, message=str(error))


def _article_page(data: bytes) -> Content:
    """Read a saved page as an article, not as a page of a knowledge base."""
    try:
        return extract(decode_page(data), "")
    except FetchError as error:
        raise UnusableFile(str(error).removeprefix(": ")) from error


ARTICLE_PAGES: Final = dict.fromkeys((".html", ".htm", ".xhtml"), _article_page)
"""How saved pages are read."""


def read_feed(page: Page) -> tuple[FeedEntry, ...]:
    """Return the articles of a feed, in its order; `FetchError` if it is not safe to read."""
    text = page.text()
    if page.media_type == "application/json" or text.lstrip()[:1] in ("{", "["):
        return _gdelt(text, page.url)
    return _xml(text, page.url)


def _xml(text: str, url: str) -> tuple[FeedEntry, ...]:
    import feedparser

    if _ENTITY.search(text):
        raise FetchError("feed", f"{url}: a feed that declares entities is not read")
    if text.count("<") + text.count("&") > _MOST_MARKS or _LONG_TAG.search(text):
        raise FetchError("feed", f"{url}: the feed has too many tags, or too long ones")
    # A file object and not the bytes: given those, feedparser tries to open a file of that name.
    data = io.BytesIO(_DECLARATION.sub("", text).encode("utf-8", "replace"))
    feed = feedparser.parse(
        data,
        response_headers={"content-type": "application/xml; charset=utf-8"},
        resolve_relative_uris=False,
        sanitize_html=False,
    )
    if not feed.get("version"):  # none at all, where the document is empty
        message = f"{url}: neither an RSS nor an Atom feed; it begins {text.strip()[:60]!r}"
        raise FetchError("feed", message)
    return tuple(
        _entry(
            article_address(link, url),
            entry,
            _day(entry),
            (entry.get("source") or {}).get("title") or entry.get("news_source"),
        )
        for entry in feed.entries
        if (link := str(entry.get("link") or "").strip())
    )


def _entry(url: str, entry: Any, date: str | None, publisher: object) -> FeedEntry:
    title = clean_title(str(entry.get("title") or ""))
    return FeedEntry(url=url, title=title, date=date, publisher=clean_title(str(publisher or "")))


def _day(entry: Any) -> str | None:
    for name in ("published_parsed", "updated_parsed", "created_parsed"):
        moment: time.struct_time | None = dict.get(entry, name)
        if moment is not None:
            return date(*moment[:3]).isoformat()
    return None


def article_address(link: str, base: str = "") -> str:
    """Return an absolute address: the article's own where Bing News hides it in `url=`."""
    try:
        link = urljoin(base, link)
        parts = urlsplit(link)
    except ValueError:
        return link
    host = (parts.hostname or "").removeprefix("www.")
    if host == "bing.com" and parts.path.lower() == "/news/apiclick.aspx":
        return next(iter(parse_qs(parts.query).get("url", [])), link)
    return link


def _gdelt(text: str, url: str) -> tuple[FeedEntry, ...]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FetchError("feed", f"{url}: this is neither a feed nor JSON") from error
    articles = value.get("articles", []) if isinstance(value, dict) else None
    if not isinstance(articles, list):
        raise FetchError("feed", f"{url}: this JSON has no list of articles")
    return tuple(
        _entry(entry["url"].strip(), entry, day_of(entry.get("seendate")), entry.get("domain"))
        for entry in articles
        if isinstance(entry, dict) and isinstance(entry.get("url"), str) and entry["url"].strip()
    )
