"""Search over the whole knowledge base: vectors and words, fused by rank."""

import hashlib
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from copy import copy
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.chroma import CollectionAddress, parse_place, stored_vectors
from uaeval.knowledge.embedding import DEFAULT_EMBEDDING, Embedding
from uaeval.knowledge.retriever import Ranking
from uaeval.knowledge.search import VectorSearch, WordSearch
from uaeval.records import Chunk, Hit
from uaeval.storage import make_folder

_RANK_OFFSET: Final = 60
"""The constant of reciprocal rank fusion: how little the very first ranks stand out."""
_DEPTH: Final = 50
"""The fewest hits of each ranking to fuse; all searches for up to half as many are one search."""
_DIGITS: Final = 6
_READING: Final = 2
"""Version of how words are read; the default embedding is computed again when it changes."""
_CACHED: Final = 4_096
"""Searches in the cache; several checks search for the texts of one candidate."""
_DEEPEST_CACHED: Final = 100
"""Depth of the deepest search that is cached."""


def build_or_open(
    chunks: Sequence[Chunk], place: str | Path, embedding: Embedding
) -> "HybridIndex":
    """Index the chunks in a folder, or on a server (`chroma:http://host:port[#collection]`).

    Only what changed since the last time is embedded; a build that was cut off is completed.

    Raises:
        KnowledgeBaseError: there are no chunks, two have the same id, or the server cannot be used.
        StorageError: the folder cannot be used.
    """
    if not chunks:
        raise KnowledgeBaseError("nothing to index: the knowledge base has no passages")
    index = HybridIndex(place, embedding)
    index.add(chunks)
    return index


class HybridIndex(AbstractContextManager["HybridIndex"]):
    """Search by vectors and by words; both are exact and in memory, Chroma keeps the vectors.

    What an index of the same place and embedding stored and its own chunks do not need is removed.
    """

    def __init__(self, place: str | Path, embedding: Embedding) -> None:
        if str(place).startswith("chroma:"):
            self._place = parse_place(str(place))
        else:
            make_folder(Path(place))
            self._place = CollectionAddress(str(place), None, own=True)
        self._embedding = embedding
        self._chunks: dict[str, Chunk] = {}
        self._vectors: VectorSearch | None = None
        self._words: WordSearch | None = None
        self._ranking = Ranking.FUSED
        self._forget()

    def __len__(self) -> int:
        return len(self._chunks)

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """Every chunk, sorted by id."""
        return tuple(self._chunks.values())

    def add(self, chunks: Iterable[Chunk]) -> None:
        """Add chunks; embed those whose vectors are not stored yet.

        Raises:
            KnowledgeBaseError: two chunks have the same id, or the server cannot be used.
            StorageError: the folder cannot be used.
        """
        ordered = sorted((*self._chunks.values(), *chunks), key=lambda chunk: chunk.id)
        for first, second in pairwise(ordered):
            if first.id == second.id:
                raise KnowledgeBaseError(
                    f"two passages have the id {first.id!r}; ids must be unique"
                )
        self._chunks = {chunk.id: chunk for chunk in ordered}
        holders: dict[str, list[str]] = {}
        for chunk in ordered:
            holders.setdefault(_key(chunk, self._embedding), []).append(chunk.id)
        texts = {key: searched(self._chunks[holders[key][0]]) for key in sorted(holders)}
        digest = hashlib.sha256(self._embedding.name.encode()).hexdigest()
        vectors = stored_vectors(
            self._place, f"uaeval-{digest[:16]}", texts, self._embedding.passages
        )
        self._vectors = VectorSearch([holders[key] for key in texts], vectors)
        folder = Path(self._place.at) / "words" if self._place.own else None
        self._words = WordSearch(
            {key: searched(chunk) for key, chunk in self._chunks.items()}, folder
        )
        self._forget()

    def get(self, chunk_id: str) -> Chunk:
        """Return a chunk by id; raise `KeyError` if there is none."""
        return self._chunks[chunk_id]

    def search(self, text: str, k: int) -> tuple[Hit, ...]:
        """Return at most `k` hits, best first; the last `_CACHED` searches are not repeated."""
        if k < 1:
            return ()
        depth = max(_DEPTH, 2 * k)
        hits = self._cached(text, depth) if depth <= _DEEPEST_CACHED else self._hits(text, depth)
        return hits[:k]

    def search_many(self, texts: Sequence[str], k: int) -> tuple[tuple[Hit, ...], ...]:
        """Return the hits of each text, in order."""
        return tuple(self.search(text, k) for text in texts)

    def ranked_by(self, ranking: Ranking) -> "HybridIndex":
        """Return an index that shares all data with this one and ranks hits differently."""
        other = copy(self)
        other._ranking = ranking
        other._forget()
        return other

    def close(self) -> None:
        """Release the memory of the vectors and words; closing twice does no harm."""
        self._vectors = self._words = None

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _forget(self) -> None:
        self._cached = lru_cache(_CACHED)(self._hits)

    def _hits(self, text: str, depth: int) -> tuple[Hit, ...]:
        """Return the hits of `depth` of each ranking; of the fused ones half."""
        assert self._vectors and self._words, "the index is open"
        (query,) = self._embedding.queries([text])
        near = self._vectors.search(query, depth)
        rankings = [] if self._ranking is Ranking.BM25 else [list(near)]
        if self._ranking is not Ranking.VECTOR:
            rankings.append(self._words.search(text, depth))
        ranked = fused(rankings)[: depth // 2]
        others = [identity for identity, _ in ranked if identity not in near]
        near |= self._vectors.similarities(query, others)
        return tuple(
            Hit(chunk=self._chunks[identity], score=score, similarity=near[identity])
            for identity, score in ranked
        )


def searched(chunk: Chunk) -> str:
    """Return the text that a chunk is searched by: its title, its headings and its text."""
    return "\n".join(part for part in (chunk.title, chunk.heading, chunk.text) if part)


def fused(rankings: Sequence[Sequence[str]]) -> list[tuple[str, float]]:
    """Fuse rankings by reciprocal rank; equal scores are ordered by id."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, identity in enumerate(ranking, start=1):
            scores[identity] = scores.get(identity, 0.0) + 1.0 / (_RANK_OFFSET + rank)
    rounded = ((identity, round(score, 2 * _DIGITS)) for identity, score in scores.items())
    return sorted(rounded, key=lambda pair: (-pair[1], pair[0]))


def _key(chunk: Chunk, embedding: Embedding) -> str:
    """Hash what a vector is made from: equal passages share a key, a changed one gets another."""
    reading = f"/{_READING}" if embedding.name == DEFAULT_EMBEDDING else ""
    made_from = f"{embedding.name}{reading}\0{searched(chunk)}"
    return hashlib.sha256(made_from.encode()).hexdigest()[:40]
