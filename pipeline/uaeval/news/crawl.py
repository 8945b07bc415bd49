"""Collect articles: fetch what sources name, extract, filter and fold copies."""

import asyncio
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final
from urllib.parse import urlsplit

from uaeval.errors import FetchError
from uaeval.news.article import Article, article_of, fold
from uaeval.news.extract import extract
from uaeval.news.fetch import Fetcher
from uaeval.news.places import is_web
from uaeval.news.sources import FeedEntry, Source
from uaeval.records import Document, Failure, Rejection
from uaeval.runner import of_kind
from uaeval.text.words import count_words

FEWEST_WORDS: Final = 50
"""A shorter page of the web is a notice, a teaser or a wall, not an article."""
_TITLES_ONLY: Final = "news.google.com"
"""Its pages lead to articles by script only, if they do not redirect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSettings:
    """Which articles are wanted."""

    since: str | None
    """Day from which on; `None`: any."""
    per_source: int
    """Most articles of each source."""
    languages: tuple[str, ...]
    """Those of the knowledge base; empty: any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlResult:
    """The accepted articles in the order of the sources, and what became of the rest."""

    articles: tuple[Article, ...]
    rejected: tuple[Rejection, ...]
    failed: tuple[Failure, ...]


async def gather(
    sources: Sequence[Source],
    topics: Sequence[str],
    terms: CrawlSettings,
    web: Fetcher | None,
    tell: Callable[[str], None],
) -> CrawlResult:
    """Collect the articles of all sources; `KnowledgeBaseError` if a local one cannot be read."""
    found = await asyncio.gather(*(source.find(web, topics) for source in sources))
    wanted: list[tuple[str, FeedEntry | Document]] = []
    rejected: list[Rejection] = []
    seen: set[str] = set()
    for source, items in zip(sources, found, strict=True):
        usable = [item for item in items if not isinstance(item, Rejection | Failure)]
        taken, dropped = _selected(source.name, usable, terms, seen)
        wanted += [(source.name, item) for item in taken]
        rejected += (*of_kind(items, Rejection), *dropped)
    if entries := sum(isinstance(item, FeedEntry) for _, item in wanted):
        tell(f"fetching {entries} articles")
    outcomes = await asyncio.gather(
        *(_article(web, source, item, terms) for source, item in wanted)
    )
    kept, copies = fold(of_kind(outcomes, Article))
    failures = of_kind(chain.from_iterable(found), Failure)
    return CrawlResult(
        articles=tuple(kept),
        rejected=(*rejected, *of_kind(outcomes, Rejection), *copies),
        failed=(*failures, *of_kind(outcomes, Failure)),
    )


def _selected(
    source: str, items: Iterable[FeedEntry | Document], terms: CrawlSettings, seen: set[str]
) -> tuple[list[FeedEntry | Document], list[Rejection]]:
    """Select the articles of a source by date and number; each address is taken once."""
    rejected: list[Rejection] = []
    fresh: list[FeedEntry | Document] = []
    limit = f"{source} gives more than {terms.per_source} articles"
    late: list[Rejection] = []
    for item in items:
        if item.url and item.url in seen:
            continue
        seen.add(item.url or "")
        name = item.url if isinstance(item, FeedEntry) else item.id
        if (old := _too_old(item.date, terms)) is not None:
            rejected.append(Rejection(id=name, check="since", rationale=old))
        elif len(fresh) < terms.per_source:
            fresh.append(item)
        else:
            late.append(Rejection(id=name, check="per_source", rationale=limit))
    return fresh, rejected + late


def _too_old(day: str | None, terms: CrawlSettings) -> str | None:
    if terms.since is None or day is None or day >= terms.since:
        return None
    return f"of {day}, before {terms.since}"


async def _article(
    web: Fetcher | None, source: str, item: FeedEntry | Document, terms: CrawlSettings
) -> Article | Rejection | Failure:
    """Return the article of a document, or of a page that is fetched and read."""
    if isinstance(item, Document):
        return _filtered(article_of(item, source), terms)
    assert web, "only feeds of the web have entries"
    stage = "fetch"
    try:
        page = await web.get(item.url)
        if urlsplit(page.url).hostname == _TITLES_ONLY:
            message = f"{item.title} ({item.publisher}): its link does not redirect over HTTP"
            return Rejection(id=item.url, check="title_only", rationale=message)
        stage = "extract"
        read = await asyncio.to_thread(lambda: extract(page.text(), page.url))
    except FetchError as error:
        return Failure(id=item.url, stage=stage, kind=error.kind, message=str(error))
    words = count_words(read.text)
    if words < FEWEST_WORDS:
        return Rejection(id=item.url, check="short", rationale=f"the page has {words} words")
    url = read.url or page.url
    parts = urlsplit(url)
    path = re.sub(r"[^A-Za-z0-9._-]+", "-", parts.path).strip("-.")[-60:]
    document = Document(
        id=f"{parts.hostname}/{path or 'index'}-{_digest(url)}",
        title=read.title or item.title,
        text=read.text,
        source=url,
        date=item.date or read.date,
        url=url,
    )
    return _filtered(await asyncio.to_thread(article_of, document, source), terms)


def _filtered(article: Article, terms: CrawlSettings) -> Article | Rejection:
    """Reject an article that is too old, undated or in another language."""
    if (old := _too_old(article.date, terms)) is not None:
        check, rationale = "since", old
    elif terms.since is not None and article.date is None and is_web(article.source):
        check = "undated"
        rationale = f"it names no day, and only articles since {terms.since} are wanted"
    elif terms.languages and article.language not in terms.languages:
        check, known = "language", ", ".join(terms.languages)
        rationale = f"it is in {article.language!r}, the knowledge base in {known}"
    else:
        return article
    return Rejection(id=article.url or article.id, check=check, rationale=rationale)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def with_own_ids(articles: Sequence[Article]) -> tuple[Article, ...]:
    """Give articles of different sources with the same id different ids."""
    own: dict[str, Article] = {}
    for article in articles:
        name = article.id
        if name in own:
            name = f"{name}-{_digest(article.source + article.sha256)}"
        own[name] = replace(article, id=name)
    return tuple(own.values())
