"""Which articles a feed names: RSS, RDF and Atom through feedparser, and the JSON of GDELT."""

import io
import json
import re
import time
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from urllib.parse import parse_qs, urljoin, urlsplit

from uaeval.errors import FetchError
from uaeval.knowledge.reading import day_of
from uaeval.news.extract import clean_title
from uaeval.news.page import Page

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
