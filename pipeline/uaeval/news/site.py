"""A site as a knowledge base: the pages that its sitemap names, or that its pages link to.

Only pages of the start's host and folder are fetched: of `https://docs.example.org/guide/` those
below `/guide/`.
"""

import asyncio
import hashlib
import html
import re
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from mimetypes import guess_type
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urldefrag, urljoin, urlsplit

from uaeval.errors import FetchError, KnowledgeBaseError
from uaeval.knowledge.documents import load
from uaeval.knowledge.reading import LoadedDocuments, ReadSettings, SkippedFile
from uaeval.news.fetch import Fetcher
from uaeval.news.page import FEEDS, Page
from uaeval.run.progress import ProgressListener

_SUFFIXES: Final = {
    "text/html": ".html",
    "application/xhtml+xml": ".xhtml",
    "text/markdown": ".md",
    "text/plain": ".txt",
    "application/pdf": ".pdf",
    "": ".html",
}
"""The media types that are read, and what their files are called."""
_LOCATION: Final = re.compile(r"<loc>\s*([^<\s]{1,2000})\s*</loc>", re.IGNORECASE)
_MOST_SITEMAPS: Final = 50
_LONGEST_NAME: Final = 100


def _pages_below(folder: str, links: Iterable[str], base: str) -> list[str]:
    """Return the addresses below `folder` among `links`, which may be relative to `base`.

    Fragments are cut off; addresses with a query are left out: they are searches, or a page
    once more.
    """
    found = []
    for link in links:
        try:
            address = urldefrag(urljoin(base, link.strip())).url
            parts = urlsplit(address)
        except ValueError:
            continue
        if not parts.query and (address if parts.path else f"{address}/").startswith(folder):
            found.append(address)
    return found


async def read_site(
    address: str, web: Fetcher, settings: ReadSettings, most: int, progress: ProgressListener
) -> LoadedDocuments:
    """Fetch at most `most` pages and read them as files; ids are paths, `url` is the address.

    Raises:
        KnowledgeBaseError: the first page cannot be fetched, or nothing usable was found.
    """
    progress.started(f"fetching pages of {address}", most)
    try:
        first = await web.get(address, types=(*_SUFFIXES,))
    except FetchError as error:
        raise KnowledgeBaseError(f"{address}: {error}") from error
    folder = urljoin(first.url, ".")
    named = await _sitemap_pages(folder, web)
    skipped: list[SkippedFile] = []
    urls: dict[str, str] = {}
    with TemporaryDirectory(prefix="uaeval-", ignore_cleanup_errors=True) as place:
        async for page in _pages(first, folder, named, web, skipped):
            if len(urls) == most:
                limit = f"only the first {most:,} pages were fetched; raise --site-pages"
                skipped.append(SkippedFile(source=address, reason=limit))
                break
            name = _file_name(page, folder)
            if name in urls:
                continue
            urls[name] = page.url
            path = Path(place, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(page.body)
            progress.advanced(page, done=len(urls), total=most)
        loaded = await asyncio.to_thread(load, place, settings=settings)
    documents = (
        replace(document, source=urls[document.source], url=urls[document.source])
        for document in loaded.documents
    )
    unread = (replace(file, source=urls.get(file.source, file.source)) for file in loaded.skipped)
    return LoadedDocuments(documents=tuple(documents), skipped=(*unread, *skipped))


async def _pages(
    first: Page,
    folder: str,
    named: Iterable[str],
    web: Fetcher,
    skipped: list[SkippedFile],
) -> AsyncIterator[Page]:
    """Yield the pages in the order of the sitemap, or as links lead to them, breadth first."""
    yield first
    seen = {first.url}
    queue = [each for each in dict.fromkeys(named) if each not in seen]
    follow = not queue
    if follow:
        queue += _pages_below(folder, links_in(first), first.url)
    for address in queue:  # grows
        if address in seen:
            continue
        seen.add(address)
        kind = guess_type(urlsplit(address).path)[0]
        if kind is not None and kind not in _SUFFIXES:
            continue
        try:
            page = await web.get(address, types=(*_SUFFIXES,))
        except FetchError as error:
            skipped.append(SkippedFile(source=address, reason=str(error)))
            continue
        if not _pages_below(folder, [page.url], page.url):
            skipped.append(SkippedFile(source=address, reason=f"it leads to {page.url}"))
            continue
        yield page
        if follow:
            queue += _pages_below(folder, links_in(page), page.url)


async def _sitemap_pages(folder: str, web: Fetcher) -> list[str]:
    """Return the pages of the folder that the site's sitemaps name; none without a sitemap."""
    usual = [urljoin(folder, "sitemap.xml"), urljoin(folder, "/sitemap.xml")]
    queue = [*await web.sitemaps(folder), *usual]
    found: dict[str, None] = {}
    read = set[str]()
    for address in queue:  # grows
        if address in read or len(read) == _MOST_SITEMAPS:
            continue
        read.add(address)
        try:
            page = await web.get(address, types=FEEDS)
            text = page.text()
        except FetchError:  # a site without a sitemap is read by its links
            continue
        named = [html.unescape(location) for location in _LOCATION.findall(text)]
        if "<sitemapindex" in text:
            queue += named
        else:
            found |= dict.fromkeys(_pages_below(folder, named, page.url))
    return list(found)


def links_in(page: Page) -> list[str]:
    """Return where the links of an HTML page lead, as written; nothing for other pages."""
    from bs4 import BeautifulSoup
    from bs4.filter import SoupStrainer

    if _SUFFIXES[page.media_type] not in (".html", ".xhtml"):
        return []
    links = BeautifulSoup(page.text(), "html.parser", parse_only=SoupStrainer("a", href=True))
    return [str(link["href"]) for link in links.find_all("a")]


def _file_name(page: Page, folder: str) -> str:
    """Return the path of the page's file below the folder, unique and safe."""
    suffix = _SUFFIXES[page.media_type]
    path = urlsplit(page.url).path.removeprefix(urlsplit(folder).path)
    path += "index" if path in ("", "/") or path.endswith("/") else ""
    parts = [re.sub(r"[^\w.-]+", "-", part).lstrip(".") or "_" for part in path.split("/")]
    name = "/".join(parts).removesuffix(suffix)
    if max(map(len, parts)) > _LONGEST_NAME:
        name = hashlib.sha256(page.url.encode()).hexdigest()[:16]
    return name + suffix
