"""Where outside articles come from: feeds, searches, and what lies on this machine or a hub.

Each source finds either leads, which are fetched, or whole documents.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Final, Protocol
from urllib.parse import quote

from uaeval.errors import FetchError
from uaeval.knowledge.documents import load
from uaeval.knowledge.reading import Content, ReadSettings, SkippedFile, UnusableFile
from uaeval.news.charset import text_of
from uaeval.news.extract import extract
from uaeval.news.feeds import FeedEntry, read_feed
from uaeval.news.page import FEEDS, PAGES, Page
from uaeval.news.places import QUERY, READY, is_web, refuse_other_schemes
from uaeval.redaction import expand
from uaeval.types import Document, Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceResult:
    """What a source gave."""

    leads: tuple[FeedEntry, ...] = ()
    documents: tuple[Document, ...] = ()
    skipped: tuple[SkippedFile, ...] = ()
    failures: tuple[Failure, ...] = ()


class Web(Protocol):
    """Fetches pages."""

    async def get(self, address: str, *, types: tuple[str, ...] = PAGES) -> Page:
        """Return the page at an address; `FetchError` if it cannot be fetched."""
        ...


class NoWeb:
    """Fetches nothing, where nothing but folders and datasets was named."""

    async def get(self, address: str, *, types: tuple[str, ...] = PAGES) -> Page:
        """Refuse."""
        raise FetchError("address", f"{address}: no entry of --news leads to the web")


class Source(Protocol):
    """Something that names outside articles."""

    @property
    def name(self) -> str:
        """The entry of `--news`."""
        ...

    async def find(self, web: Web, topics: Sequence[str]) -> SourceResult:
        """Return what it has, the best first. What could not be had is a failure in it."""
        ...


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed at one address, or a search that answers with a feed for each topic."""

    name: str
    address: str
    """A search has `{query}` in the place of the topic."""

    async def find(self, web: Web, topics: Sequence[str]) -> SourceResult:
        """Return the articles of the feed, the latest first; of a search, those of each in turn."""
        searched = QUERY in self.address
        queries = [quote(topic, safe="") for topic in topics] if searched else [""]
        feeds = await asyncio.gather(
            *(_read(web, self.address.replace(QUERY, query)) for query in queries)
        )
        rows = zip_longest(*(leads for leads, _ in feeds))
        leads = [lead for lead in chain.from_iterable(rows) if lead is not None]
        if not searched:
            leads.sort(key=lambda lead: lead.date or "", reverse=True)
        failures = chain.from_iterable(failures for _, failures in feeds)
        return SourceResult(leads=tuple(leads), failures=tuple(failures))


@dataclass(frozen=True, slots=True)
class Local:
    """A folder or file of html or text, rows of jsonl or the like, or a dataset of a hub."""

    name: str
    settings: ReadSettings

    async def find(self, web: Web, topics: Sequence[str]) -> SourceResult:
        """Return the documents, by id.

        Raises:
            KnowledgeBaseError: there is nothing there, or nothing that can be used.
        """
        loaded = await asyncio.to_thread(load, self.name, settings=self.settings)
        return SourceResult(documents=loaded.documents, skipped=loaded.skipped)


def source_of(entry: str, settings: ReadSettings) -> Source:
    """Return the source that an entry of `--news` names; `KnowledgeBaseError` if it names none."""
    if is_web(entry):
        return Feed(entry, READY.get(entry, entry))
    refuse_other_schemes(entry)
    return Local(entry, settings)


async def _read(web: Web, address: str) -> tuple[tuple[FeedEntry, ...], tuple[Failure, ...]]:
    try:
        page = await web.get(expand(address, "news", in_url=True), types=FEEDS)
        return await asyncio.to_thread(read_feed, page), ()
    except FetchError as error:
        failure = Failure(id=address, stage="find", kind=error.kind, message=str(error))
        return (), (failure,)


def _article_page(data: bytes) -> Content:
    """Read a saved page as an article, not as a page of a knowledge base."""
    try:
        return extract(text_of(data), "")
    except FetchError as error:
        raise UnusableFile(str(error).removeprefix(": ")) from error


ARTICLE_PAGES: Final = dict.fromkeys((".html", ".htm", ".xhtml"), _article_page)
"""How saved pages are read."""
