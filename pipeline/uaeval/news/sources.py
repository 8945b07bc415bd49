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
from uaeval.news.extract import extract
from uaeval.news.feeds import FeedEntry, read_feed
from uaeval.news.page import FEEDS, PAGES, Page, text_of
from uaeval.news.places import QUERY, READY, is_web, refuse_other_schemes
from uaeval.records import Document, Failure
from uaeval.redaction import expand


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


@dataclass(frozen=True, slots=True)
class Source:
    """An entry of `--news`: a feed, a search that gives a feed for each topic, or local documents.

    Local are a folder or file of html or text, rows of jsonl or the like, and a dataset of a hub.
    """

    name: str
    settings: ReadSettings

    async def find(self, web: Web, topics: Sequence[str]) -> SourceResult:
        """Return documents by id, the latest articles of a feed, or those of each topic in turn.

        An address that cannot be read is a failure in the result.

        Raises:
            KnowledgeBaseError: local documents are missing, or cannot be used.
        """
        if not is_web(self.name):
            loaded = await asyncio.to_thread(load, self.name, settings=self.settings)
            return SourceResult(documents=loaded.documents, skipped=loaded.skipped)
        address = READY.get(self.name, self.name)
        searched = QUERY in address
        queries = [quote(topic, safe="") for topic in topics] if searched else [""]
        feeds = await asyncio.gather(
            *(_read(web, address.replace(QUERY, query)) for query in queries)
        )
        rows = zip_longest(*(leads for leads, _ in feeds))
        leads = [lead for lead in chain.from_iterable(rows) if lead is not None]
        if not searched:
            leads.sort(key=lambda lead: lead.date or "", reverse=True)
        failures = chain.from_iterable(failures for _, failures in feeds)
        return SourceResult(leads=tuple(leads), failures=tuple(failures))


def source_of(entry: str, settings: ReadSettings) -> Source:
    """Return the source that an entry of `--news` names; `KnowledgeBaseError` if it names none."""
    refuse_other_schemes(entry)
    return Source(entry, settings)


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
