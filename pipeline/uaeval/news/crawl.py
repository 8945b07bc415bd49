"""Collect articles: fetch the entries of sources, extract and filter articles, merge copies."""

import asyncio
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

from uaeval.errors import FetchError
from uaeval.knowledge.reading import ReadSettings
from uaeval.news.article import Article, article_of, extract, fold
from uaeval.news.fetch import Fetcher
from uaeval.news.places import is_web
from uaeval.news.sources import FeedEntry, find
from uaeval.records import Document, Failure, Rejection
from uaeval.runner import of_kind
from uaeval.text.words import count_words

FEWEST_WORDS: Final = 50
"""Web pages with fewer words are notices, teasers or paywalls, not articles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSettings:
    """Conditions for articles."""

    since: str | None
    """Earliest day; `None`: any day."""
    per_source: int
    """Most articles of each source."""
    languages: tuple[str, ...]
    """Languages of the knowledge base; empty: any language."""
    reading: ReadSettings
    """How documents on this machine or a hub are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlResult:
    """The accepted articles in the order of the sources, and the others with the reason."""

    articles: tuple[Article, ...]
    rejected: tuple[Rejection, ...]
    failed: tuple[Failure, ...]


async def gather(
    sources: Sequence[str],
    topics: Sequence[str],
    settings: CrawlSettings,
    web: Fetcher | None,
    started: Callable[[str], None],
) -> CrawlResult:
    """Return the articles of all sources; raise `KnowledgeBaseError` if a local one is unusable."""
    found = await asyncio.gather(*(find(name, settings.reading, web, topics) for name in sources))
    wanted: list[tuple[str, FeedEntry | Document]] = []
    records: list[object] = []
    seen: set[str] = set()
    for source, items in zip(sources, found, strict=True):
        usable = [item for item in items if not isinstance(item, Rejection | Failure)]
        selected, dropped = _selected(source, usable, settings, seen)
        wanted += [(source, item) for item in selected]
        records += (*items, *dropped)
    if entries := sum(isinstance(item, FeedEntry) for _, item in wanted):
        started(f"fetching {entries} articles")
    articles = (_article(web, source, item, settings) for source, item in wanted)
    outcomes = await asyncio.gather(*articles)
    kept, copies = fold(of_kind(outcomes, Article))
    records += (*outcomes, *copies)
    rejected, failed = of_kind(records, Rejection), of_kind(records, Failure)
    return CrawlResult(articles=tuple(kept), rejected=tuple(rejected), failed=tuple(failed))


def _selected(
    source: str, items: Iterable[FeedEntry | Document], settings: CrawlSettings, seen: set[str]
) -> tuple[list[FeedEntry | Document], list[Rejection]]:
    rejected: list[Rejection] = []
    selected: list[FeedEntry | Document] = []
    limit = f"{source} gives more than {settings.per_source} articles"
    surplus: list[Rejection] = []
    for item in items:
        if item.url and item.url in seen:
            continue
        seen.add(item.url or "")
        name = item.url if isinstance(item, FeedEntry) else item.id
        if (too_old := _too_old(item.date, settings)) is not None:
            rejected.append(Rejection(id=name, check="since", rationale=too_old))
        elif len(selected) < settings.per_source:
            selected.append(item)
        else:
            surplus.append(Rejection(id=name, check="per_source", rationale=limit))
    return selected, rejected + surplus


def _too_old(day: str | None, settings: CrawlSettings) -> str | None:
    if settings.since is None or day is None or day >= settings.since:
        return None
    return f"of {day}, before {settings.since}"


async def _article(
    web: Fetcher | None, source: str, item: FeedEntry | Document, settings: CrawlSettings
) -> Article | Rejection | Failure:
    if isinstance(item, Document):
        return _filtered(article_of(item, source), settings)
    assert web, "only feeds of the web have entries"
    stage = "fetch"
    try:
        page = await web.get(item.url)
        if urlsplit(page.url).hostname == "news.google.com":  # it redirects by script only
            message = f"{item.title} ({item.publisher}): its link does not redirect over HTTP"
            return Rejection(id=item.url, check="title_only", rationale=message)
        stage = "extract"
        content = await asyncio.to_thread(lambda: extract(page.text(), page.url))
    except FetchError as error:
        return Failure(id=item.url, stage=stage, kind=error.kind, message=str(error))
    words = count_words(content.text)
    if words < FEWEST_WORDS:
        return Rejection(id=item.url, check="short", rationale=f"the page has {words} words")
    url = content.url or page.url
    parts = urlsplit(url)
    path = re.sub(r"[^A-Za-z0-9._-]+", "-", parts.path).strip("-.")[-60:]
    document = Document(
        id=f"{parts.hostname}/{path or 'index'}-{_digest(url)}",
        title=content.title or item.title,
        text=content.text,
        source=url,
        date=item.date or content.date,
        url=url,
    )
    return _filtered(await asyncio.to_thread(article_of, document, source), settings)


def _filtered(article: Article, settings: CrawlSettings) -> Article | Rejection:
    if (too_old := _too_old(article.date, settings)) is not None:
        check, rationale = "since", too_old
    elif settings.since is not None and article.date is None and is_web(article.source):
        check = "undated"
        rationale = f"it names no day, and only articles since {settings.since} are wanted"
    elif settings.languages and article.language not in settings.languages:
        check, known = "language", ", ".join(settings.languages)
        rationale = f"it is in {article.language!r}, the knowledge base in {known}"
    else:
        return article
    return Rejection(id=article.url or article.id, check=check, rationale=rationale)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def with_own_ids(articles: Sequence[Article]) -> tuple[Article, ...]:
    """Return the articles with unique ids: a hash is appended to an id that is already used."""
    by_id: dict[str, Article] = {}
    for article in articles:
        name = article.id
        if name in by_id:
            name = f"{name}-{_digest(article.source + article.sha256)}"
        by_id[name] = replace(article, id=name)
    return tuple(by_id.values())
