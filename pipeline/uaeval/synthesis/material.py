"""What a run works from: the indexed knowledge base, and the outside articles beside it."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from uaeval.categories.registry import category
from uaeval.config import HOLDOUT, SynthesisConfig
from uaeval.errors import KnowledgeBaseError, StorageError
from uaeval.knowledge.chunking import ExcludedChunk, chunk
from uaeval.knowledge.documents import LoadedDocuments, SkippedFile, load, write_folder
from uaeval.knowledge.embedding import Embedding, EmbeddingOnRay, embedding_named
from uaeval.knowledge.facts import KnowledgeBaseFacts, kinds_of, unread
from uaeval.knowledge.index import HybridIndex, build_or_open
from uaeval.knowledge.keyphrases import engine
from uaeval.news.places import is_site
from uaeval.news.site import read_site
from uaeval.records import Chunk, Document
from uaeval.run_folder import RunFolder
from uaeval.storage import file_print, make_folder, read_journal, write_journal, write_text
from uaeval.synthesis.outside_articles import (
    NO_ARTICLES,
    HoldoutSplit,
    OutsideArticles,
    asks_web,
    hold_out,
    open_web,
    outside_articles,
    read_settings,
    stored_articles,
)
from uaeval.synthesis.sessions import Session

MARK = ".uaeval"
"""Name of the file that marks a folder as written by a run; hidden, so never read as a document."""
ARTICLE_SIZE = 600
"""Characters of an outside article that its author sees at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The index, the chunks to write from, those of outside articles, and what to say of them."""

    index: HybridIndex
    chunks: tuple[Chunk, ...]
    """Without those set aside, which are indexed all the same: absence is proven over them too."""
    articles: tuple[Chunk, ...]
    facts: KnowledgeBaseFacts


async def prepare(session: Session) -> Material:
    """Read, part, chunk and index the knowledge base; leave what was read in the folder.

    An earlier session's passages are used again if input and files are unchanged, and nothing is
    to be refreshed.

    Raises:
        KnowledgeBaseError: nothing usable was found.
    """
    config, folder = session.config, session.folder
    if not session.refresh and (stored := _stored(session)):
        return stored
    session.progress.started(f"reading {config.knowledge_base}")
    loaded = await _read(session)
    skipped_kinds = kinds_of(skipped.source for skipped in loaded.skipped)
    write_journal(folder.journal("documents", "skipped"), SkippedFile, loaded.skipped)
    if config.strict and loaded.skipped:
        message = unread(len(loaded.skipped), len(loaded.documents), skipped_kinds)
        raise KnowledgeBaseError(f"{message} in {folder.path} (--strict)")
    split = HoldoutSplit(loaded.documents, ())
    if _takes_articles(config) and HOLDOUT in config.news:
        split = hold_out(loaded.documents, config.holdout_share, config.seed)
    kept, held_out = split
    chunked = chunk(kept, size=config.chunk_size, engine=config.engine)
    if not chunked.chunks:
        raise KnowledgeBaseError(
            f"{config.knowledge_base} holds no passage with enough prose to write from "
            f"({len(kept)} documents, {len(chunked.set_aside)} fragments set aside)"
        )
    outside = NO_ARTICLES
    if _takes_articles(config):
        outside = await outside_articles(session, split)
    indexed = (*chunked.chunks, *(aside.chunk for aside in chunked.set_aside))
    write_journal(folder.chunks_path, Chunk, indexed)
    write_journal(folder.journal("chunks", "set_aside"), ExcludedChunk, chunked.set_aside)
    if held_out:
        _write_reduced(folder, kept)
    vectors: Embedding = embedding_named(config.embedding)
    if config.on_ray:
        vectors = EmbeddingOnRay(config.embedding, config.engine)
    facts = KnowledgeBaseFacts(
        source=config.knowledge_base,
        fingerprint=session.knowledge_print,
        documents=len(kept),
        skipped=len(loaded.skipped),
        skipped_kinds=skipped_kinds,
        held_out=len(held_out),
        chunks=len(chunked.chunks),
        set_aside=len(chunked.set_aside),
        articles=len(outside.articles),
        news_fingerprint=session.news_print,
        news=outside.facts,
        embedding=vectors.name,
        key_phrases=engine(),
    )
    session.progress.started(f"indexing {len(indexed)} passages of {len(kept)} documents")
    digest = file_print(folder.chunks_path).sha256
    return _material(folder, vectors, indexed, digest, outside, facts)


async def _read(session: Session) -> LoadedDocuments:
    """Read the documents; the pages of a site are kept in the folder, so that a crawl resumes."""
    config, folder = session.config, session.folder
    base, settings = config.knowledge_base, read_settings(config)
    if not is_site(base):
        return load(base, settings=settings)
    make_folder(folder.path)
    crawl = session.knowledge_print
    async with open_web(config, folder.site_path, crawl, refresh=session.refresh) as web:
        return await read_site(base, web, settings, config.site_pages, session.progress)


def _stored(session: Session) -> Material | None:
    """Return the material that an earlier session left; `None` if some of it is gone or differs."""
    config, folder = session.config, session.folder
    manifest, set_aside = folder.manifest(), folder.journal("chunks", "set_aside")
    if manifest is None or manifest.files.get(folder.chunks_path.name) is None:
        return None
    facts, files = manifest.knowledge_base, [folder.chunks_path, set_aside]
    files += [folder.reduced_path / MARK] if facts.held_out else []
    read = (facts.fingerprint, facts.news_fingerprint)
    if read != (session.knowledge_print, session.news_print) or not all(map(Path.exists, files)):
        return None
    outside = NO_ARTICLES
    if _takes_articles(config):
        outside = stored_articles(session) or NO_ARTICLES
    written = manifest.files[folder.chunks_path.name]
    if written != file_print(folder.chunks_path) or len(outside.articles) != facts.articles:
        return None
    indexed = read_journal(folder.chunks_path, Chunk)
    session.progress.started(f"opening the index of {len(indexed)} passages")
    facts = facts.model_copy(update={"source": config.knowledge_base, "key_phrases": engine()})
    vectors = embedding_named(config.embedding)
    return _material(folder, vectors, indexed, written.sha256, outside, facts)


def _material(
    folder: RunFolder,
    vectors: Embedding,
    indexed: Sequence[Chunk],
    digest: str,
    outside: OutsideArticles,
    facts: KnowledgeBaseFacts,
) -> Material:
    """Open the index; queries are written from the first of its passages, not those set aside."""
    documents = tuple(article.document for article in outside.articles)
    return Material(
        index=build_or_open(indexed, folder.index_path, vectors, digest),
        chunks=tuple(indexed[: facts.chunks]),
        articles=chunk(documents, size=ARTICLE_SIZE).chunks,
        facts=facts,
    )


def _write_reduced(folder: RunFolder, kept: Sequence[Document]) -> None:
    """Write the reduced knowledge base anew, over one of an earlier session and nothing else."""
    place, mark = folder.reduced_path, folder.reduced_path / MARK
    if mark.exists():
        shutil.rmtree(place)
    elif place.exists():
        raise StorageError(f"{place} is not of this run; choose another -o folder")
    write_folder(kept, place)
    write_text(mark, "written by uaeval; replaced when its run is done anew\n")


def fetches(config: SynthesisConfig, folder: RunFolder) -> bool:
    """Return whether pages or articles of the web are still to be fetched."""
    site = is_site(config.knowledge_base) and not folder.site_path.exists()
    articles = _takes_articles(config) and asks_web(config) and not folder.news_path.exists()
    return site or articles


def _takes_articles(config: SynthesisConfig) -> bool:
    """Return whether queries are written from outside articles; a user's own are not."""
    return config.queries is None and any(category(name).outside for name in config.categories)
