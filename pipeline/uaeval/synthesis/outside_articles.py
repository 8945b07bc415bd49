"""Gather or hold out the articles that a run writes outside questions from, and store them."""

import hashlib
import json
import math
import random
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from uaeval.categories.registry import categories
from uaeval.config import HOLDOUT, SynthesisConfig
from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.facts import NewsFacts
from uaeval.knowledge.reading import ReadSettings
from uaeval.news.article import Article, article_of
from uaeval.news.crawl import CrawlResult, CrawlSettings, gather, with_own_ids
from uaeval.news.fetch import Fetcher
from uaeval.news.page import PageCache
from uaeval.news.places import is_search, is_web
from uaeval.news.topics import Topic, topics
from uaeval.records import Document, Failure, Rejection
from uaeval.storage import make_folder, write_journal
from uaeval.synthesis.related import subjects
from uaeval.synthesis.sessions import Session
from uaeval.text.language import languages_of
from uaeval.text.words import stem, words

_DECISIVE: Final = {
    "news", "since", "per_source", "topics", "add_topics", "pin_topics", "forbid_topics",
    "allow_hosts", "holdout_share", "seed", "text_field", "title_field", "id_field",
}  # fmt: skip
"""Settings that identify a crawl: stored pages are used again only if none has changed."""

MIN_REPEATS: Final = 3
MIN_LETTERS: Final = 4
"""Fewest occurrences, and letters, of a word in a document that is about it."""
MAX_OWN_WORDS: Final = 3
"""Further words that only one document has do not make it more suitable to hold out."""


def hold_out(
    documents: Sequence[Document], share: float, seed: int
) -> tuple[tuple[Document, ...], tuple[Document, ...]]:
    """Return the kept documents, and a seeded `share` that is held out; both keep their order.

    Documents with repeated words that no other document has are held out first: what is written
    about them is least likely to be answered by the kept documents. Of these, documents whose
    subjects others mention come first, because a twin on the same subject can be written.
    Raise `KnowledgeBaseError` if there are fewer than two documents.
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
    suitability = _suitability(documents)
    drawn.sort(key=lambda id_: -suitability[id_])
    selected = set(drawn[:count])
    kept = (document for document in documents if document.id not in selected)
    return tuple(kept), tuple(document for document in documents if document.id in selected)


def _suitability(documents: Sequence[Document]) -> Mapping[str, int]:
    """Return, by document id, the number of its own words, times those of its subjects.

    A document's own words are those that it repeats and no other document has. A subject counts if
    another document mentions it.
    """
    texts = {document.id: f"{document.title}\n{document.text}" for document in documents}
    repeats = {id_: Counter(map(stem, words(text))) for id_, text in texts.items()}
    counts = Counter(word for own in repeats.values() for word in own)
    suitability = {}
    for id_, text in texts.items():
        own = sum(
            counts[word] == 1 and count >= MIN_REPEATS and len(word) >= MIN_LETTERS
            for word, count in repeats[id_].items()
            if word.isalpha()
        )
        shared = sum(counts[word] > 1 for word in subjects(text, counts, len(documents)))
        suitability[id_] = min(own, MAX_OWN_WORDS) * (1 + shared)
    return suitability


async def outside_articles(
    session: Session, kept: Sequence[Document], held_out: Sequence[Document]
) -> tuple[tuple[Article, ...], NewsFacts]:
    """Return the articles that queries are written from, and how they were gathered.

    Each page is stored as soon as it is fetched, so that no later session fetches it again.
    Raise `KnowledgeBaseError` if a source cannot be read, or no source gave a usable article.
    """
    config, folder = session.config, session.folder
    make_folder(folder.path)
    proxy = urlsplit(config.web_proxy).netloc.rpartition("@")[2] if config.web_proxy else None
    languages = languages_of([document.text for document in kept])
    settings = CrawlSettings(
        since=_since(config, kept),
        per_source=config.per_source,
        languages=languages,
        reading=read_settings(config),
    )
    search_topics: tuple[Topic, ...] = ()
    if any(map(is_search, config.news)):
        session.progress.started("looking for topics")
        search_topics = topics(kept, next(iter(languages), "en"), config)
    refresh = session.refresh or not folder.journal("articles").exists()
    fetcher = open_web(config, folder.pages_path, _crawl_hash(session), refresh=refresh)
    async with fetcher if asks_web(config) else nullcontext() as web:
        entries = dict.fromkeys(entry for entry in config.news if entry != HOLDOUT)
        if web:
            number = sum(map(is_web, entries))
            stage = f"asking {number} source{'s' if number > 1 else ''} of articles"
            if proxy:
                stage += f" through the proxy {proxy}, which resolves names: "
                stage += "their addresses go unchecked"
            session.progress.started(stage)
        phrases = [topic.phrase for topic in search_topics]
        gathered = await gather([*entries], phrases, settings, web, session.progress.started)
        articles = with_own_ids(
            (*(article_of(document, HOLDOUT) for document in held_out), *gathered.articles)
        )
        write_journal(folder.journal("articles", "rejected"), Rejection, gathered.rejected)
        write_journal(folder.journal("articles", "failed"), Failure, gathered.failed)
        write_journal(folder.journal("topics"), Topic, search_topics)
    if not articles:
        raise KnowledgeBaseError(_no_article(config, gathered, settings))
    write_journal(folder.journal("articles"), Article, articles)
    facts = NewsFacts(
        since=settings.since,
        topics=phrases,
        rejected=dict(Counter(rejection.check for rejection in gathered.rejected)),
        failed=dict(Counter(failure.kind for failure in gathered.failed)),
        requests=web.requests if web else 0,
        proxy=proxy if asks_web(config) else None,
    )
    return articles, facts


def _crawl_hash(session: Session) -> str:
    """Return a hash of the input and the settings that decide which articles are gathered."""
    settings = session.config.model_dump(mode="json", include=_DECISIVE)
    decisive = [settings, session.knowledge_print, session.news_print]
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()


def _since(config: SynthesisConfig, kept: Sequence[Document]) -> str | None:
    """Return the day of `--since`, or else that of the newest document that has a date."""
    if config.since is not None:
        return config.since.isoformat()
    today = datetime.now(UTC).date().isoformat()
    days = (document.date for document in kept if document.date and document.date <= today)
    return max(days, default=None)


def read_settings(config: SynthesisConfig) -> ReadSettings:
    """Return how the documents of the knowledge base and of `news` are read."""
    names = {field.name for field in fields(ReadSettings)}
    return ReadSettings(**config.model_dump(include=names))


@asynccontextmanager
async def open_web(
    config: SynthesisConfig, pages: Path, crawl: str, *, refresh: bool
) -> AsyncGenerator[Fetcher]:
    """Open a fetcher that stores each page in `pages`, so that the crawl named `crawl` resumes."""
    with PageCache(pages) as cache:
        since = cache.begin(crawl, anew=refresh)
        async with Fetcher(config, cache, since=since) as fetcher:
            yield fetcher
        cache.end()


def asks_web(config: SynthesisConfig) -> bool:
    """Return whether any entry of `news` leads to the web."""
    return any(map(is_web, config.news))


def _no_article(config: SynthesisConfig, gathered: CrawlResult, settings: CrawlSettings) -> str:
    reasons = Counter(rejection.check for rejection in gathered.rejected)
    reasons.update(f"failed ({failure.kind})" for failure in gathered.failed)
    counted = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    first = f"; the first failure: {gathered.failed[0].message}" if gathered.failed else ""
    since = f"; only those since {settings.since} are taken (--since)" if settings.since else ""
    return (
        f"{', '.join(config.news)}: no article can be used ({counted or 'none was found'}{first})"
        f"{since}; name other sources with --news, or use `holdout`"
    )
