"""Collect articles: fetch what sources name, extract, filter and fold copies."""

import asyncio
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, TypeAlias, TypeVar
from urllib.parse import urlsplit

from uaeval.errors import FetchError
from uaeval.news.article import Article, article_of, fold
from uaeval.news.extract import extract
from uaeval.news.feeds import FeedEntry
from uaeval.news.page import Page
from uaeval.news.places import is_web
from uaeval.news.sources import Source, SourceResult, Web
from uaeval.records import Document, Failure, Rejection
from uaeval.text.words import count_words

FEWEST_WORDS: Final = 50
"""A shorter page of the web is a notice, a teaser or a wall, not an article."""
_TITLES_ONLY: Final = "news.google.com"
"""Its pages lead to articles by script only, if they do not redirect."""

T = TypeVar("T")
Outcome: TypeAlias = Article | Rejection | Failure


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
    web: Web,
    tell: Callable[[str], None],
) -> CrawlResult:
    """Collect the articles of all sources; `KnowledgeBaseError` if a local one cannot be read."""
    results = await asyncio.gather(*(source.find(web, topics) for source in sources))
    wanted: list[tuple[str, FeedEntry | Document]] = []
    rejected: list[Rejection] = []
    seen: set[str] = set()
    for source, result in zip(sources, results, strict=True):
        taken, dropped = _selected(source.name, result, terms, seen)
        wanted += [(source.name, item) for item in taken]
        rejected += dropped
    if leads := sum(isinstance(item, FeedEntry) for _, item in wanted):
        tell(f"fetching {leads} articles")
    obtained = await asyncio.gather(*(_article(web, source, item) for source, item in wanted))
    filtered = [
        _filtered(outcome, terms) if isinstance(outcome, Article) else outcome
        for outcome in obtained
    ]
    kept, copies = fold(list(_of(Article, filtered)))
    failures = chain.from_iterable(result.failures for result in results)
    return CrawlResult(
        articles=tuple(kept),
        rejected=(*rejected, *_of(Rejection, filtered), *copies),
        failed=(*failures, *_of(Failure, filtered)),
    )


def _of(kind: type[T], outcomes: Iterable[object]) -> Iterator[T]:
    return (outcome for outcome in outcomes if isinstance(outcome, kind))


def _selected(
    source: str, result: SourceResult, terms: CrawlSettings, seen: set[str]
) -> tuple[list[FeedEntry | Document], list[Rejection]]:
    """Select the articles of a source by date and number; each address is taken once."""
    rejected = [
        Rejection(id=f"{source}/{skipped.source}", check="unreadable", rationale=skipped.reason)
        for skipped in result.skipped
    ]
    fresh: list[FeedEntry | Document] = []
    offered: tuple[FeedEntry | Document, ...] = (*result.leads, *result.documents)
    for item in offered:
        address = item.url or ""
        if address in seen:
            continue
        if address:
            seen.add(address)
        if (old := _too_old(item.date, terms)) is not None:
            rejected.append(Rejection(id=_name(item), check="since", rationale=old))
        else:
            fresh.append(item)
    limit = f"{source} gives more than {terms.per_source} articles"
    rejected += [
        Rejection(id=_name(item), check="per_source", rationale=limit)
        for item in fresh[terms.per_source :]
    ]
    return fresh[: terms.per_source], rejected


def _name(item: FeedEntry | Document) -> str:
    return item.url if isinstance(item, FeedEntry) else item.id


def _too_old(day: str | None, terms: CrawlSettings) -> str | None:
    if terms.since is None or day is None or day >= terms.since:
        return None
    return f"of {day}, before {terms.since}"


async def _article(web: Web, source: str, lead: FeedEntry | Document) -> Outcome:
    """Return the article of a document, or of a page that is fetched and read."""
    if isinstance(lead, Document):
        return article_of(lead, source)
    stage = "fetch"
    try:
        page = await web.get(lead.url)
        if urlsplit(page.url).hostname == _TITLES_ONLY:
            message = f"{lead.title} ({lead.publisher}): its link does not redirect over HTTP"
            return Rejection(id=lead.url, check="title_only", rationale=message)
        stage = "extract"
        return await asyncio.to_thread(_read, page, lead, source)
    except FetchError as error:
        return Failure(id=lead.url, stage=stage, kind=error.kind, message=str(error))


def _read(page: Page, lead: FeedEntry, source: str) -> Outcome:
    read = extract(page.text(), page.url)
    url = read.url or page.url
    words = count_words(read.text)
    if words < FEWEST_WORDS:
        return Rejection(id=lead.url, check="short", rationale=f"the page has {words} words")
    document = Document(
        id=_identity(url),
        title=read.title or lead.title,
        text=read.text,
        source=url,
        date=lead.date or read.date,
        url=url,
    )
    return article_of(document, source)


def _filtered(article: Article, terms: CrawlSettings) -> Article | Rejection:
    """Reject an article that is too old, undated or in another language."""
    name = article.url or article.id
    if (old := _too_old(article.date, terms)) is not None:
        return Rejection(id=name, check="since", rationale=old)
    if terms.since is not None and article.date is None and is_web(article.source):
        message = f"it names no day, and only articles since {terms.since} are wanted"
        return Rejection(id=name, check="undated", rationale=message)
    if terms.languages and article.language not in terms.languages:
        known = ", ".join(terms.languages)
        message = f"it is in {article.language!r}, the knowledge base in {known}"
        return Rejection(id=name, check="language", rationale=message)
    return article


def _identity(url: str) -> str:
    """Return a readable, unique id for an address."""
    parts = urlsplit(url)
    path = re.sub(r"[^A-Za-z0-9._-]+", "-", parts.path).strip("-.")[-60:]
    return f"{parts.hostname}/{path or 'index'}-{_digest(url)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def with_own_ids(articles: Sequence[Article]) -> tuple[Article, ...]:
    """Give articles of different sources with the same id different ids."""
    taken: set[str] = set()
    own = []
    for article in articles:
        name = article.id
        if name in taken:
            name = f"{name}-{_digest(article.source + article.sha256)}"
        taken.add(name)
        own.append(replace(article, id=name))
    return tuple(own)
