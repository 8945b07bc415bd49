"""The outside articles of a run: gathered or held out once, kept with it, and read again."""

import hashlib
import json
import math
import random
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from uaeval.categories.registry import categories
from uaeval.config import HOLDOUT, SynthesisConfig
from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.facts import NewsFacts
from uaeval.knowledge.reading import ReadSettings
from uaeval.news.article import Article, article_of
from uaeval.news.cache import PageCache
from uaeval.news.crawl import CrawlResult, CrawlSettings, gather, with_own_ids
from uaeval.news.fetch import Fetcher
from uaeval.news.places import is_search, is_web
from uaeval.news.sources import ARTICLE_PAGES, Source
from uaeval.news.topics import Topic, topics
from uaeval.records import Document, Failure, Rejection
from uaeval.storage import make_folder, read_journal, read_json, write_journal, write_json
from uaeval.synthesis.sessions import Session
from uaeval.text.language import languages_of
from uaeval.text.words import stem, words

_DECISIVE: Final = {
    "news", "since", "per_source", "topics", "add_topics", "pin_topics", "forbid_topics",
    "allow_hosts", "holdout_share", "seed", "text_field", "title_field", "id_field",
}  # fmt: skip
"""Settings under which a crawl of other settings is another one."""

REPEATED: Final = 3
LETTERS: Final = 4
"""How often a document has a word that it is about, and the letters of such a word, at least."""
ENOUGH: Final = 3
"""Such words from which more of them do not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideArticles:
    """The articles that queries are written from, and how they were obtained."""

    articles: tuple[Article, ...]
    facts: NewsFacts


class HoldoutSplit(NamedTuple):
    """A knowledge base in two parts."""

    kept: tuple[Document, ...]
    held_out: tuple[Document, ...]


def hold_out(documents: Sequence[Document], share: float, seed: int) -> HoldoutSplit:
    """Set a seeded `share` of the documents aside; both parts keep their order.

    Documents about something that no other document names come first: of others, the rest tells.

    Raises:
        KnowledgeBaseError: there are fewer than two documents.
    """
    if len(documents) < 2:
        outside = ", ".join(spec.name for spec in categories() if spec.outside)
        raise KnowledgeBaseError(
            "holding documents out takes at least two documents; give outside articles with "
            f"--news DIR, or leave {outside} out of --categories"
        )
    count = min(len(documents) - 1, max(1, math.floor(share * len(documents) + 0.5)))
    ids = sorted(document.id for document in documents)
    drawn = random.Random(f"{seed}/holdout").sample(ids, len(ids))
    own = _own_words(documents)
    chosen = set(sorted(drawn, key=lambda id_: -min(own[id_], ENOUGH))[:count])
    kept = tuple(document for document in documents if document.id not in chosen)
    held = tuple(document for document in documents if document.id in chosen)
    return HoldoutSplit(kept, held)


def _own_words(documents: Sequence[Document]) -> Mapping[str, int]:
    """Return by document how many words it repeats that no other document has."""
    places, repeated = Counter[str](), dict[str, list[str]]()
    for document in documents:
        counted = Counter(map(stem, words(f"{document.title}\n{document.text}")))
        places.update(counted.keys())
        repeated[document.id] = [
            each
            for each, count in counted.items()
            if count >= REPEATED and len(each) >= LETTERS and each.isalpha()
        ]
    return {id_: sum(places[each] == 1 for each in told) for id_, told in repeated.items()}


NO_ARTICLES: Final = OutsideArticles(articles=(), facts=NewsFacts())


async def outside_articles(session: Session, split: HoldoutSplit) -> OutsideArticles:
    """Return the articles that the folder holds, or gather them and write them there.

    Each page is stored once it is fetched, so that an interrupted crawl resumes.

    Raises:
        KnowledgeBaseError: a source cannot be read, or none gave an article that can be used.
    """
    if not session.refresh and (earlier := stored_articles(session)) is not None:
        return earlier
    config, folder = session.config, session.folder
    crawl, kept = _crawl_name(session), split.kept
    make_folder(folder.path)
    since = _since(config, kept)
    languages = languages_of([document.text for document in kept])
    terms = CrawlSettings(since=since, per_source=config.per_source, languages=languages)
    searched: tuple[Topic, ...] = ()
    if any(map(is_search, config.news)):
        session.progress.started("looking for topics")
        searched = topics(kept, next(iter(languages), "en"), config)
    again = session.refresh or not folder.news_path.exists()
    opened = open_web(config, folder.pages_path, crawl, refresh=again)
    async with opened if asks_web(config) else nullcontext() as web:
        entries = dict.fromkeys(entry for entry in config.news if entry != HOLDOUT)
        if web:
            session.progress.started(_stage(config, sum(map(is_web, entries))))
        how = replace(read_settings(config), converters=ARTICLE_PAGES)
        sources = [Source(entry, how) for entry in entries]
        phrases = [topic.phrase for topic in searched]
        gathered = await gather(sources, phrases, terms, web, session.progress.started)
        requests = web.requests if web else 0
        articles = with_own_ids(
            (*(article_of(document, HOLDOUT) for document in split.held_out), *gathered.articles)
        )
        write_journal(folder.journal("articles", "rejected"), Rejection, gathered.rejected)
        write_journal(folder.journal("articles", "failed"), Failure, gathered.failed)
        write_journal(folder.journal("topics"), Topic, searched)
        write_journal(folder.journal("articles"), Article, articles)
    if not articles:
        raise KnowledgeBaseError(_no_article(config, gathered, terms))
    facts = NewsFacts(
        since=since,
        topics=phrases,
        rejected=dict(Counter(rejection.check for rejection in gathered.rejected)),
        failed=dict(Counter(failure.kind for failure in gathered.failed)),
        requests=requests,
        proxy=_place(config.web_proxy) if asks_web(config) else None,
    )
    write_json(folder.news_path, {"crawl": crawl, "facts": facts.model_dump(mode="json")})
    return OutsideArticles(articles=articles, facts=facts)


def _crawl_name(session: Session) -> str:
    """Name what is gathered: another input or other settings are another crawl."""
    settings = session.config.model_dump(mode="json", include=_DECISIVE)
    input_ = [settings, session.knowledge_print, session.news_print]
    decisive = json.dumps(input_, sort_keys=True)
    return hashlib.sha256(decisive.encode()).hexdigest()


def stored_articles(session: Session) -> OutsideArticles | None:
    """Return the articles of an earlier session; `None` without one of this input and settings."""
    folder = session.folder
    if not folder.news_path.exists():
        return None
    stored = read_json(folder.news_path)
    if stored.get("crawl") != _crawl_name(session):
        return None
    articles = read_journal(folder.journal("articles"), Article)
    return OutsideArticles(articles=articles, facts=NewsFacts.model_validate(stored["facts"]))


def _since(config: SynthesisConfig, kept: Sequence[Document]) -> str | None:
    """Return the day that was requested, or that of the newest document with a date."""
    if config.since is not None:
        return config.since.isoformat()
    today = datetime.now(UTC).date().isoformat()
    days = (document.date for document in kept if document.date and document.date <= today)
    return max(days, default=None)


def read_settings(config: SynthesisConfig) -> ReadSettings:
    """Return how documents are read, of the knowledge base and of `news`."""
    return ReadSettings(
        text_field=config.text_field,
        title_field=config.title_field,
        id_field=config.id_field,
        follow_links=config.follow_links,
        engine=config.engine,
    )


def _stage(config: SynthesisConfig, number: int) -> str:
    text = f"asking {number} source{'s' if number > 1 else ''} of articles"
    if config.web_proxy:
        place = _place(config.web_proxy)
        text += f" through the proxy {place}, which resolves names: their addresses go unchecked"
    return text


@asynccontextmanager
async def open_web(
    config: SynthesisConfig, pages: Path, crawl: str, *, refresh: bool
) -> AsyncGenerator[Fetcher]:
    """Fetch within the block; `pages` keeps what is fetched, so that a crawl `crawl` resumes."""
    with PageCache(pages) as cache:
        since = cache.begin(crawl, anew=refresh)
        async with Fetcher(config, cache, since=since) as fetcher:
            yield fetcher
        cache.end()


def asks_web(config: SynthesisConfig) -> bool:
    """Return whether any entry of `news` leads to the web."""
    return any(map(is_web, config.news))


def _place(proxy: str | None) -> str | None:
    """Return a proxy's host and port, without what is secret."""
    return urlsplit(proxy).netloc.rpartition("@")[2] if proxy else None


def _no_article(config: SynthesisConfig, gathered: CrawlResult, terms: CrawlSettings) -> str:
    """Return why no source gave an article."""
    reasons = Counter(rejection.check for rejection in gathered.rejected)
    reasons.update(f"failed ({failure.kind})" for failure in gathered.failed)
    counted = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    first = f"; the first failure: {gathered.failed[0].message}" if gathered.failed else ""
    since = f"; only those since {terms.since} are taken (--since)" if terms.since else ""
    return (
        f"{', '.join(config.news)}: no article can be used ({counted or 'none was found'}{first})"
        f"{since}; name other sources with --news, or use `holdout`"
    )
