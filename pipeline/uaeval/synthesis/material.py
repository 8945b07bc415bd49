"""Prepare what a run writes from: the indexed knowledge base, and the outside articles."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from uaeval.categories.registry import category
from uaeval.config import HOLDOUT, SynthesisConfig
from uaeval.errors import KnowledgeBaseError, StorageError
from uaeval.knowledge.chunking import ExcludedChunk, chunk
from uaeval.knowledge.documents import LoadedDocuments, SkippedFile, load, write_folder
from uaeval.knowledge.embedding import embedding_named
from uaeval.knowledge.facts import KnowledgeBaseFacts, NewsFacts, kinds_of, unread
from uaeval.knowledge.index import HybridIndex
from uaeval.knowledge.keyphrases import engine
from uaeval.news.article import Article
from uaeval.news.places import is_site
from uaeval.news.site import read_site
from uaeval.records import Chunk, Document
from uaeval.run_folder import RunFolder
from uaeval.storage import file_print, make_folder, read_journal, write_journal, write_text
from uaeval.synthesis.outside_articles import (
    asks_web,
    hold_out,
    open_web,
    outside_articles,
    read_settings,
)
from uaeval.synthesis.related import ParallelPassages, compare_passages
from uaeval.synthesis.sessions import Session

MARK = ".uaeval"
"""Name of the file that marks a folder as written by a run; hidden, so never read as a document."""
ARTICLE_SIZE = 600
"""Most characters of an outside article that an author is shown at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a run writes from."""

    index: HybridIndex
    chunks: tuple[Chunk, ...]
    """The chunks that queries are written from. The index also has those that were set aside,
    because absence is proven over them too."""
    articles: tuple[Chunk, ...]
    """The chunks of the outside articles."""
    parallels: ParallelPassages
    """The chunks that are parallel to each chunk, if a category is written from them."""
    facts: KnowledgeBaseFacts


async def prepare(session: Session) -> Material:
    """Read, split, chunk and index the knowledge base; store what was read in the run's folder.

    The passages of an earlier session are used again, unless the session is a refresh, or the input
    or the stored files have changed. Raise `KnowledgeBaseError` if there is nothing usable.
    """
    config, folder = session.config, session.folder
    if not session.refresh and (stored := _stored(session)):
        return stored
    session.progress.started(f"reading {config.knowledge_base}")
    loaded = await _read(session)
    skipped_kinds = kinds_of(skipped.source for skipped in loaded.skipped)
    unread_fields = (
        SkippedFile(source=source, reason=f"these fields were not read: {', '.join(names)}")
        for source, names in sorted(loaded.unread_fields.items())
    )
    skipped = (*loaded.skipped, *unread_fields)
    write_journal(folder.journal("documents", "skipped"), SkippedFile, skipped)
    if config.strict and loaded.skipped:
        message = unread(len(loaded.skipped), len(loaded.documents), skipped_kinds)
        raise KnowledgeBaseError(f"{message} in {folder.path} (--strict)")
    kept, held_out = loaded.documents, tuple[Document, ...]()
    if _takes_articles(config) and HOLDOUT in config.news:
        kept, held_out = hold_out(loaded.documents, config.holdout_share, config.seed)
    chunked = chunk(kept, size=config.chunk_size, engine=config.engine)
    if not chunked.chunks:
        raise KnowledgeBaseError(
            f"{config.knowledge_base} holds no passage with enough prose to write from "
            f"({len(kept)} documents, {len(chunked.set_aside)} fragments set aside)"
        )
    articles, news = tuple[Article, ...](), NewsFacts()
    if _takes_articles(config):
        articles, news = await outside_articles(session, kept, held_out)
    indexed = (*chunked.chunks, *(aside.chunk for aside in chunked.set_aside))
    write_journal(folder.chunks_path, Chunk, indexed)
    write_journal(folder.journal("chunks", "set_aside"), ExcludedChunk, chunked.set_aside)
    if held_out:
        _write_reduced(folder, kept)
    facts = KnowledgeBaseFacts(
        source=config.knowledge_base,
        fingerprint=session.knowledge_print,
        documents=len(kept),
        skipped=len(loaded.skipped),
        skipped_kinds=skipped_kinds,
        unread_fields=[*dict.fromkeys(chain.from_iterable(loaded.unread_fields.values()))],
        held_out=len(held_out),
        chunks=len(chunked.chunks),
        set_aside=len(chunked.set_aside),
        articles=len(articles),
        news_fingerprint=session.news_print,
        news=news,
        embedding=config.embedding,
        key_phrases=engine(),
    )
    session.progress.started(f"indexing {len(indexed)} passages of {len(kept)} documents")
    digest = file_print(folder.chunks_path).sha256
    return _material(session, indexed, digest, articles, facts)


async def _read(session: Session) -> LoadedDocuments:
    """Read the documents; the pages of a site are stored, so that a crawl can be resumed."""
    config, folder = session.config, session.folder
    base, settings = config.knowledge_base, read_settings(config)
    if not is_site(base):
        return load(base, settings=settings)
    make_folder(folder.path)
    crawl = session.knowledge_print
    async with open_web(config, folder.site_path, crawl, refresh=session.refresh) as web:
        return await read_site(base, web, settings, config.site_pages, session.progress)


def _stored(session: Session) -> Material | None:
    """Return the material of an earlier session; `None` if some is missing or has changed."""
    folder, manifest = session.folder, session.folder.manifest()
    if manifest is None or (written := manifest.files.get(folder.chunks_path.name)) is None:
        return None
    facts = manifest.knowledge_base
    files = [folder.chunks_path, folder.journal("chunks", "set_aside")]
    files += [folder.reduced_path / MARK] if facts.held_out else []
    files += [folder.journal("articles")] if facts.articles else []
    stored = (facts.fingerprint, facts.news_fingerprint)
    if stored != (session.knowledge_print, session.news_print) or not all(map(Path.exists, files)):
        return None
    articles = read_journal(folder.journal("articles"), Article) if facts.articles else ()
    if written != file_print(folder.chunks_path) or len(articles) != facts.articles:
        return None
    indexed = read_journal(folder.chunks_path, Chunk)
    session.progress.started(f"opening the index of {len(indexed)} passages")
    source = session.config.knowledge_base
    facts = facts.model_copy(update={"source": source, "key_phrases": engine()})
    return _material(session, indexed, written.sha256, articles, facts)


def _material(
    session: Session,
    indexed: Sequence[Chunk],
    digest: str,
    articles: Sequence[Article],
    facts: KnowledgeBaseFacts,
) -> Material:
    """Open the index; the passages that were set aside are the last of `indexed`."""
    config, place = session.config, session.folder.index_path
    documents = [article.document for article in articles]
    embedding, chunks = embedding_named(config.embedding), tuple(indexed[: facts.chunks])
    return Material(
        index=HybridIndex(indexed, place, embedding, digest, config.engine),
        chunks=chunks,
        articles=chunk(documents, size=ARTICLE_SIZE).chunks,
        parallels=compare_passages(config, chunks),
        facts=facts,
    )


def _write_reduced(folder: RunFolder, kept: Sequence[Document]) -> None:
    """Write the reduced knowledge base; replace that of an earlier session, but no other folder."""
    reduced, mark = folder.reduced_path, folder.reduced_path / MARK
    if mark.exists():
        shutil.rmtree(reduced)
    elif reduced.exists():
        raise StorageError(f"{reduced} was not written by this run; choose another -o folder")
    write_folder(kept, reduced)
    write_text(mark, "written by uaeval; replaced when its run is done anew\n")


def fetches(config: SynthesisConfig, folder: RunFolder) -> bool:
    """Return whether web pages or articles are still to be fetched."""
    site = is_site(config.knowledge_base) and not folder.site_path.exists()
    articles = (
        _takes_articles(config) and asks_web(config) and not folder.journal("articles").exists()
    )
    return site or articles


def _takes_articles(config: SynthesisConfig) -> bool:
    """Return whether queries are written from outside articles; a user's own queries are not."""
    return config.queries is None and any(category(name).outside for name in config.categories)
