"""Sources of outside articles: feeds, searches, and documents on this machine or a hub.

A source returns entries of feeds, whose pages are fetched later, or complete documents.
"""

import asyncio
import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, zip_longest
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qs, quote, urljoin, urlsplit

from uaeval.errors import FetchError
from uaeval.knowledge.decoding import decode_page
from uaeval.knowledge.documents import load
from uaeval.knowledge.reading import Content, ReadSettings, UnusableFile, day_of
from uaeval.news.article import clean_title, extract
from uaeval.news.fetch import Fetcher
from uaeval.news.page import FEEDS, Page
from uaeval.news.places import NAMED_SEARCHES, QUERY, is_web
from uaeval.records import Document, Failure, Rejection
from uaeval.redaction import expand

_MOST_MARKS: Final = 200_000
"""Most tags and escapes of a feed; feedparser takes about fifty microseconds for each."""
_LONG_TAG: Final = re.compile(r"<[^<>]{20000}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """An article in a feed, before it is fetched."""

    url: str
    title: str
    date: str | None
    """Day of publication."""
    publisher: str
    """Who published the article, if the feed collects articles of others."""


Found: TypeAlias = FeedEntry | Document | Rejection | Failure
"""An article of a source before extraction, or the reason why there is none."""


async def find(
    source: str, settings: ReadSettings, web: Fetcher | None, topics: Sequence[str]
) -> list[Found]:
    """Return what an entry of `--news` gives: documents by id, or articles of feeds.

    A feed's articles come from the latest on; those of a search, which has a feed per topic,
    alternate. Each address that cannot be read gives a `Failure`. For documents, which are in a
    folder, a file, or a dataset of a hub, `web` may be `None`; `load` raises if they are unusable.
    """
    if web is None or not is_web(source):
        settings = replace(settings, converters=_ARTICLE_PAGES)
        loaded = await asyncio.to_thread(load, source, settings=settings)
        rejections = (
            Rejection(id=f"{source}/{file.source}", check="unreadable", rationale=file.reason)
            for file in loaded.skipped
        )
        return [*loaded.documents, *rejections]
    address = NAMED_SEARCHES.get(source, source)
    is_search = QUERY in address
    queries = [quote(topic, safe="") for topic in topics] if is_search else [""]
    feeds = await asyncio.gather(*(_read(web, address.replace(QUERY, query)) for query in queries))
    rows = zip_longest(*(feed for feed in feeds if not isinstance(feed, Failure)))
    entries = [entry for entry in chain.from_iterable(rows) if entry is not None]
    if not is_search:
        entries.sort(key=lambda entry: entry.date or "", reverse=True)
    return [*entries, *(feed for feed in feeds if isinstance(feed, Failure))]


async def _read(web: Fetcher, address: str) -> tuple[FeedEntry, ...] | Failure:
    try:
        page = await web.get(expand(address, "news", in_url=True), types=FEEDS)
        return await asyncio.to_thread(read_feed, page)
    except FetchError as error:
        return Failure(id=address, stage="find", kind=error.kind, message=str(error))


def _article_page(data: bytes) -> Content:
    """Return a saved page as an article; the usual reader would keep more of the page."""
    try:
        return extract(decode_page(data), "")
    except FetchError as error:
        raise UnusableFile(str(error).removeprefix(": ")) from error


_ARTICLE_PAGES: Final = dict.fromkeys((".html", ".htm", ".xhtml"), _article_page)


def read_feed(page: Page) -> tuple[FeedEntry, ...]:
    """Return the articles of a feed, in order; raise `FetchError` if it is malformed or unsafe."""
    text = page.text()
    if page.media_type == "application/json" or text.lstrip()[:1] in ("{", "["):
        return _gdelt(text, page.url)
    return _xml(text, page.url)


def _xml(text: str, url: str) -> tuple[FeedEntry, ...]:
    import feedparser

    if re.search(r"<!ENTITY", text, re.IGNORECASE):
        raise FetchError("feed", f"{url}: feeds that declare entities are refused")
    if text.count("<") + text.count("&") > _MOST_MARKS or _LONG_TAG.search(text):
        raise FetchError("feed", f"{url}: the feed has too many tags, or too long ones")
    body = re.sub(r"\A\s*<\?xml[^>]*\?>", "", text)
    # A file object, because feedparser would take bytes for the name of a file.
    feed = feedparser.parse(
        io.BytesIO(body.encode("utf-8", "replace")),
        response_headers={"content-type": "application/xml; charset=utf-8"},
        resolve_relative_uris=False,
        sanitize_html=False,
    )
    if not feed.get("version"):  # an empty document has no version
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
    names = ("published_parsed", "updated_parsed", "created_parsed")
    moment = next(filter(None, (dict.get(entry, name) for name in names)), None)
    return date(*moment[:3]).isoformat() if moment else None


def article_address(link: str, base: str = "") -> str:
    """Return an absolute address; for links of Bing News, the article's address in `url=`."""
    try:
        link = urljoin(base, link)
        parts = urlsplit(link)
    except ValueError:
        return link
    host = (parts.hostname or "").removeprefix("www.")
    is_bing = host == "bing.com" and parts.path.lower() == "/news/apiclick.aspx"
    return parse_qs(parts.query).get("url", [link])[0] if is_bing else link


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
