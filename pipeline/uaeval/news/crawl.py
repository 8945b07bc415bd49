"""From sources to articles: what they name is fetched, extracted, sifted and folded."""

import asyncio
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from uaeval.errors import FetchError
from uaeval.news.article import Article, article_of
from uaeval.news.extract import extract
from uaeval.news.feeds import FeedEntry
from uaeval.news.fetch import Page
from uaeval.news.places import is_web
from uaeval.news.sources import Source, SourceResult, Web
from uaeval.news.syndication import fold
from uaeval.text.words import count_words
from uaeval.types import Document, Failure, Rejection

FEWEST_WORDS: Final = 50
"""A shorter page of the web is a notice, a teaser or a wall, not an article."""
_TITLES_ONLY: Final = "news.google.com"
"""Its pages lead to articles by script only, if they do not redirect."""

Outcome: TypeAlias = Article | Rejection | Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSettings:
    """Which articles are wanted."""

    since: str | None
    """Day from which on; `None`: any."""
    per_source: int
    """Articles looked at from each source, at the most."""
    languages: tuple[str, ...]
    """Those of the knowledge base; empty: any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlResult:
    """What was accepted, in the order of the sources, and what became of the rest."""

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
    """Collect the articles of all sources.

    Raises:
        KnowledgeBaseError: a folder, file or dataset cannot be read.
    """
    found = await asyncio.gather(*(source.find(web, topics) for source in sources))
    seen: set[str] = set()
    chosen = [
        _chosen(source.name, one, terms, seen) for source, one in zip(sources, found, strict=True)
    ]
    wanted = sum(len(part.leads) for part in chosen)
    if wanted:
        tell(f"fetching {wanted} articles")
    had = await asyncio.gather(
        *(_had(web, part.source, lead) for part in chosen for lead in part.leads)
    )
    outcomes: list[Outcome] = [*had, *chain.from_iterable(part.articles for part in chosen)]
    outcomes = _by_source(outcomes, [source.name for source in sources])
    sifted = [_sifted(one, terms) if isinstance(one, Article) else one for one in outcomes]
    kept, copies = fold([one for one in sifted if isinstance(one, Article)])
    rejected = [one for one in sifted if isinstance(one, Rejection)]
    return CrawlResult(
        articles=tuple(kept),
        rejected=(*chain.from_iterable(part.rejected for part in chosen), *rejected, *copies),
        failed=(
            *chain.from_iterable(one.failures for one in found),
            *(one for one in sifted if isinstance(one, Failure)),
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _SourceSelection:
    """What of a source is looked at."""

    source: str
    leads: tuple[FeedEntry, ...]
    articles: tuple[Article, ...]
    rejected: tuple[Rejection, ...]


def _chosen(
    source: str, found: SourceResult, terms: CrawlSettings, seen: set[str]
) -> _SourceSelection:
    """Choose among what a source found by date and number; each address is looked at once."""
    rejected = [
        Rejection(id=f"{source}/{one.source}", check="unreadable", rationale=one.reason)
        for one in found.skipped
    ]
    fresh: list[FeedEntry | Document] = []
    offered: tuple[FeedEntry | Document, ...] = (*found.leads, *found.documents)
    for one in offered:
        address = one.url or ""
        if address in seen:
            continue
        if address:
            seen.add(address)
        if (old := _too_old(one.date, terms)) is not None:
            rejected.append(Rejection(id=_name(one), check="since", rationale=old))
        else:
            fresh.append(one)
    limit = f"{source} gives more than {terms.per_source} articles"
    rejected += [
        Rejection(id=_name(one), check="per_source", rationale=limit)
        for one in fresh[terms.per_source :]
    ]
    taken = fresh[: terms.per_source]
    return _SourceSelection(
        source=source,
        leads=tuple(one for one in taken if isinstance(one, FeedEntry)),
        articles=tuple(article_of(one, source) for one in taken if isinstance(one, Document)),
        rejected=tuple(rejected),
    )


def _name(one: FeedEntry | Document) -> str:
    return one.url if isinstance(one, FeedEntry) else one.id


def _too_old(day: str | None, terms: CrawlSettings) -> str | None:
    if terms.since is None or day is None or day >= terms.since:
        return None
    return f"of {day}, before {terms.since}"


async def _had(web: Web, source: str, lead: FeedEntry) -> Outcome:
    """Fetch an article and read it."""
    stage = "fetch"
    try:
        page = await web.get(lead.url)
        if urlsplit(page.url).hostname == _TITLES_ONLY:
            told = f"{lead.title} ({lead.publisher}): its link does not redirect over HTTP"
            return Rejection(id=lead.url, check="title_only", rationale=told)
        stage = "extract"
        return await asyncio.to_thread(_read, page, lead, source)
    except FetchError as error:
        return Failure(id=lead.url, stage=stage, kind=error.kind, message=str(error))


def _read(page: Page, lead: FeedEntry, source: str) -> Outcome:
    read = extract(page.text(), page.url)
    words = count_words(read.text)
    if words < FEWEST_WORDS:
        return Rejection(id=lead.url, check="short", rationale=f"the page has {words} words")
    document = Document(
        id=_identity(read.url),
        title=read.title or lead.title,
        text=read.text,
        source=read.url,
        date=lead.date or read.date,
        url=read.url,
    )
    return article_of(document, source)


def _by_source(outcomes: Sequence[Outcome], names: Sequence[str]) -> list[Outcome]:
    """Put articles into the order of their sources."""
    place = {name: number for number, name in reversed(list(enumerate(names)))}
    articles = [one for one in outcomes if isinstance(one, Article)]
    rest = [one for one in outcomes if not isinstance(one, Article)]
    return [*sorted(articles, key=lambda article: place[article.source]), *rest]


def _sifted(article: Article, terms: CrawlSettings) -> Article | Rejection:
    """Turn down what is too old, of no day, or in another language."""
    name = article.url or article.id
    if (old := _too_old(article.date, terms)) is not None:
        return Rejection(id=name, check="since", rationale=old)
    if terms.since is not None and article.date is None and is_web(article.source):
        told = f"it names no day, and only articles since {terms.since} are wanted"
        return Rejection(id=name, check="undated", rationale=told)
    if terms.languages and article.language not in terms.languages:
        told = f"it is in {article.language!r}, the knowledge base in {', '.join(terms.languages)}"
        return Rejection(id=name, check="language", rationale=told)
    return article


def _identity(url: str) -> str:
    """Make an id of an address: readable, and one of its own."""
    parts = urlsplit(url)
    path = re.sub(r"[^A-Za-z0-9._-]+", "-", parts.path).strip("-.")[-60:]
    return f"{parts.hostname}/{path or 'index'}-{_digest(url)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def with_own_ids(articles: Sequence[Article]) -> tuple[Article, ...]:
    """Tell articles of several places apart that happen to have one id."""
    taken: set[str] = set()
    own = []
    for article in articles:
        name = article.id
        if name in taken:
            name = f"{name}-{_digest(article.source + article.sha256)}"
        taken.add(name)
        own.append(replace(article, id=name))
    return tuple(own)
