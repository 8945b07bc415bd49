"""Where outside articles come from: feeds, searches, and what lies on this machine or a hub.

Each source gives either entries of feeds, which are fetched, or whole documents.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Final
from urllib.parse import quote

from uaeval.errors import FetchError
from uaeval.knowledge.documents import load
from uaeval.knowledge.reading import Content, ReadSettings, UnusableFile
from uaeval.news.extract import extract
from uaeval.news.feeds import FeedEntry, read_feed
from uaeval.news.fetch import Fetcher
from uaeval.news.page import FEEDS, text_of
from uaeval.news.places import QUERY, READY, is_web
from uaeval.records import Document, Failure, Rejection
from uaeval.redaction import expand


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceResult:
    """What a source gave."""

    items: tuple[FeedEntry | Document, ...]
    rejected: tuple[Rejection, ...] = ()
    failed: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """An entry of `--news`: a feed, a search that gives a feed for each topic, or local documents.

    Local are a folder or file of html or text, rows of jsonl or the like, and a dataset of a hub.
    """

    name: str
    settings: ReadSettings

    async def find(self, web: Fetcher | None, topics: Sequence[str]) -> SourceResult:
        """Return documents by id, the latest articles of a feed, or those of each topic in turn.

        An address that cannot be read is a failure in the result; `web` may be `None` for local
        documents.

        Raises:
            KnowledgeBaseError: local documents are missing, or cannot be used.
        """
        if web is None or not is_web(self.name):
            return await asyncio.to_thread(self._load)
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
        failed = tuple(feed for feed in feeds if isinstance(feed, Failure))
        return SourceResult(items=tuple(entries), failed=failed)

    def _load(self) -> SourceResult:
        loaded = load(self.name, settings=self.settings)
        rejected = (
            Rejection(id=f"{self.name}/{file.source}", check="unreadable", rationale=file.reason)
            for file in loaded.skipped
        )
        return SourceResult(items=loaded.documents, rejected=tuple(rejected))


async def _read(web: Fetcher, address: str) -> tuple[FeedEntry, ...] | Failure:
    try:
        page = await web.get(expand(address, "news", in_url=True), types=FEEDS)
        return await asyncio.to_thread(read_feed, page)
    except FetchError as error:
        return Failure(id=address, stage="find", kind=error.kind, message=str(error))


def _article_page(data: bytes) -> Content:
    """Read a saved page as an article, not as a page of a knowledge base."""
    try:
        return extract(text_of(data), "")
    except FetchError as error:
        raise UnusableFile(str(error).removeprefix(": ")) from error


ARTICLE_PAGES: Final = dict.fromkeys((".html", ".htm", ".xhtml"), _article_page)
"""How saved pages are read."""
