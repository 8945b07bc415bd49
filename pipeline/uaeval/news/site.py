"""Read a web site as a knowledge base: the pages in its sitemap, or those that its pages link to.

Only pages of the same host and folder are fetched: for `https://docs.example.org/guide/`, those
below `/guide/`.
"""

import asyncio
import hashlib
import html
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
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
from uaeval.news.page import FEEDS, SUFFIXES, Page
from uaeval.run.progress import ProgressListener

_LOCATION: Final = re.compile(r"<loc>\s*([^<\s]{1,2000})\s*</loc>", re.IGNORECASE)
_END: Final = re.compile(r"</(?:\w+:)?(?:urlset|sitemapindex)\s*>(?:\s|<!--.*?-->)*$", re.I | re.S)
_WEB_PAGE: Final = re.compile(r"<html\b", re.IGNORECASE)
_MOST_SITEMAPS: Final = 50


def _pages_below(folder: str, links: Iterable[str], base: str) -> Iterator[str]:
    """Yield the addresses below `folder` among `links`, which may be relative to `base`.

    Fragments are removed; addresses with a query, mostly searches or duplicates, are ignored.
    """
    for link in links:
        with suppress(ValueError):  # for an invalid address
            address = urldefrag(urljoin(base, link.strip())).url
            parts = urlsplit(address)
            if not parts.query and (address if parts.path else f"{address}/").startswith(folder):
                yield address


async def read_site(
    address: str, web: Fetcher, settings: ReadSettings, limit: int, progress: ProgressListener
) -> LoadedDocuments:
    """Return the documents of at most `limit` pages, with the paths as ids.

    Raises `KnowledgeBaseError` if the first page cannot be fetched, or no page is usable.
    """
    progress.started(f"fetching pages of {address}", limit)
    try:
        first = await web.get(address, types=tuple(SUFFIXES))
    except FetchError as error:
        raise KnowledgeBaseError(f"{address}: {error}") from error
    folder = urljoin(first.url, ".")
    skipped: list[SkippedFile] = []
    urls: dict[str, str] = {}
    with TemporaryDirectory(prefix="uaeval-", ignore_cleanup_errors=True) as files:
        async for page in _pages(first, folder, web, skipped):
            if len(urls) == limit:
                reason = f"only the first {limit:,} pages were fetched; raise --site-pages"
                skipped.append(SkippedFile(source=address, reason=reason))
                break
            name = _file_name(page, folder)
            if name in urls:
                continue
            urls[name] = page.url
            path = Path(files, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(page.body)
            progress.advanced(page, done=len(urls), total=limit)
        loaded = await asyncio.to_thread(load, files, settings=settings)
    documents = (
        replace(document, source=urls[document.source], url=urls[document.source])
        for document in loaded.documents
    )
    unread = (replace(file, source=urls.get(file.source, file.source)) for file in loaded.skipped)
    return LoadedDocuments(documents=tuple(documents), skipped=(*unread, *skipped))


async def _pages(
    first: Page, folder: str, web: Fetcher, skipped: list[SkippedFile]
) -> AsyncIterator[Page]:
    """Yield the pages in the order of the sitemap; without one, follow links breadth first."""
    in_sitemap = await _sitemap_pages(folder, web, skipped)
    yield first
    seen = {first.url}
    queue = [address for address in in_sitemap if address not in seen]
    follow_links = not queue
    if follow_links:
        queue += _pages_below(folder, _links_in(first), first.url)
    for address in queue:  # grows
        if address in seen:
            continue
        seen.add(address)
        kind = guess_type(urlsplit(address).path)[0]
        if kind is not None and kind not in SUFFIXES:
            continue
        try:
            page = await web.get(address, types=tuple(SUFFIXES))
        except FetchError as error:
            skipped.append(SkippedFile(source=address, reason=str(error)))
            continue
        if not any(_pages_below(folder, [page.url], page.url)):
            skipped.append(SkippedFile(source=address, reason=f"it redirects to {page.url}"))
            continue
        yield page
        if follow_links:
            queue += _pages_below(folder, _links_in(page), page.url)


async def _sitemap_pages(folder: str, web: Fetcher, skipped: list[SkippedFile]) -> list[str]:
    """Return the pages below `folder` in the site's sitemaps; record the sitemaps left unread.

    Those at the usual addresses may be missing, or a web page that says so: links replace them.
    """
    usual = [urljoin(folder, "sitemap.xml"), urljoin(folder, "/sitemap.xml")]
    queue = [*await web.sitemaps(folder), *usual]
    pages: dict[str, None] = {}
    read = set[str]()
    for address in queue:  # grows
        if address in read:
            continue
        if len(read) == _MOST_SITEMAPS:
            reason = f"only the first {_MOST_SITEMAPS} sitemaps were read"
            skipped.append(SkippedFile(source=address, reason=reason))
            break
        read.add(address)
        try:
            page = await web.get(address, types=FEEDS)
            text = page.text()
        except FetchError as error:
            if address not in usual or error.status not in {404, 410}:
                skipped.append(SkippedFile(source=address, reason=str(error)))
            continue
        locations = [html.unescape(location) for location in _LOCATION.findall(text)]
        if not _END.search(text) and (address not in usual or not _WEB_PAGE.search(text)):
            reason = f"it is no complete XML sitemap (addresses used: {len(locations)})"
            skipped.append(SkippedFile(source=address, reason=reason))
        if "<sitemapindex" in text:
            queue += locations
        else:
            pages |= dict.fromkeys(_pages_below(folder, locations, page.url))
    return [*pages]


def _links_in(page: Page) -> list[str]:
    """Return the targets of the links of an HTML page, as written; none for other pages."""
    from bs4 import BeautifulSoup
    from bs4.filter import SoupStrainer

    if SUFFIXES[page.media_type] not in (".html", ".xhtml"):
        return []
    links = BeautifulSoup(page.text(), "html.parser", parse_only=SoupStrainer("a", href=True))
    return [str(link["href"]) for link in links.find_all("a")]


def _file_name(page: Page, folder: str) -> str:
    suffix = SUFFIXES[page.media_type]
    path = urlsplit(page.url).path.removeprefix(urlsplit(folder).path)
    path += "index" if path in ("", "/") or path.endswith("/") else ""
    parts = [re.sub(r"[^\w.-]+", "-", part).lstrip(".") or "_" for part in path.split("/")]
    name = "/".join(parts).removesuffix(suffix)
    if max(map(len, parts)) > 100:
        name = hashlib.sha256(page.url.encode()).hexdigest()[:16]
    return name + suffix
