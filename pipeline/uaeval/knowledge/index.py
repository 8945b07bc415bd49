"""Search over the whole knowledge base: vectors and words, fused by rank."""

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from copy import copy
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.chroma import CollectionAddress, parse_place, store_vectors
from uaeval.knowledge.embedding import DEFAULT_EMBEDDING, Embedding
from uaeval.knowledge.retriever import Hit, Ranking
from uaeval.knowledge.search import FILES, VECTORS, VectorSearch, WordSearch
from uaeval.knowledge.search_files import current_files, new_files
from uaeval.records import Chunk
from uaeval.storage import make_folder

K = TypeVar("K", int, str)

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
    """Search by vectors and by words; both are exact and read mapped files made from Chroma's.

    What an index of the same place and embedding stored and its own chunks do not need is removed.
    """

    def __init__(self, place: str | Path, embedding: Embedding) -> None:
        if str(place).startswith("chroma:"):
            self._place = parse_place(str(place))
        else:
            make_folder(Path(place))
            self._place = CollectionAddress(str(place), None, own=True)
        self._embedding = embedding
        self._chunks: tuple[Chunk, ...] = ()
        self._vectors: VectorSearch | None = None
        self._words: WordSearch | None = None
        self._ranking = Ranking.FUSED
        self._forget()

    def __len__(self) -> int:
        return len(self._chunks)

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """Every chunk, sorted by id."""
        return self._chunks

    def add(self, chunks: Iterable[Chunk]) -> None:
        """Add chunks; embed those whose vectors are not stored yet.

        Raises:
            KnowledgeBaseError: two chunks have the same id, or the server cannot be used.
            StorageError: the folder cannot be used.
        """
        ordered = sorted((*self._chunks, *chunks), key=attrgetter("id"))
        for first, second in pairwise(ordered):
            if first.id == second.id:
                raise KnowledgeBaseError(
                    f"two passages have the id {first.id!r}; ids must be unique"
                )
        self._chunks = tuple(ordered)
        self._forget()
        contents, place = self._contents(), Path(self._place.at)
        if not self._place.own:
            with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                self._store(Path(folder))
                self._open(Path(folder))
            return
        if files := current_files(place, contents):
            self._open(files)
            if current_files(place, contents):
                return
        with new_files(place, contents) as folder:
            self._store(folder)
            self._open(folder)

    def _contents(self) -> str:
        """Hash what the files that searches read are made from."""
        versions = f"{FILES} {_READING} {self._embedding.name}"
        whole = hashlib.sha256(versions.encode())
        for chunk in self._chunks:
            text = searched(chunk)
            whole.update(f"\n{len(chunk.id)} {len(text)} {chunk.id}{text}".encode())
        return whole.hexdigest()

    def _store(self, folder: Path) -> None:
        """Write the files that searches read; embed the chunks whose vectors are not stored yet."""
        texts: dict[str, str] = {}
        rows: dict[str, int] = {}
        of_chunks = []
        for chunk in self._chunks:
            key = _key(chunk, self._embedding)
            texts.setdefault(key, searched(chunk))
            of_chunks.append(rows.setdefault(key, len(rows)))
        digest = hashlib.sha256(self._embedding.name.encode()).hexdigest()
        name = f"uaeval-{digest[:16]}"
        store_vectors(self._place, name, texts, self._embedding.passages, folder / VECTORS)
        VectorSearch.store(of_chunks, folder)
        WordSearch.store(map(searched, self._chunks), folder)

    def _open(self, folder: Path) -> None:
        self._vectors, self._words = VectorSearch(folder), WordSearch(folder)

    def get(self, chunk_id: str) -> Chunk:
        """Return a chunk by id; raise `KeyError` if there is none."""
        place = bisect_left(self._chunks, chunk_id, key=attrgetter("id"))
        if place == len(self._chunks) or self._chunks[place].id != chunk_id:
            raise KeyError(chunk_id)
        return self._chunks[place]

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
        others = [place for place, _ in ranked if place not in near]
        near |= self._vectors.similarities(query, others)
        return tuple(
            Hit(chunk=self._chunks[place], score=score, similarity=near[place])
            for place, score in ranked
        )


def searched(chunk: Chunk) -> str:
    """Return the text that a chunk is searched by: its title, its headings and its text."""
    return "\n".join(part for part in (chunk.title, chunk.heading, chunk.text) if part)


def fused(rankings: Sequence[Sequence[K]]) -> list[tuple[K, float]]:
    """Fuse rankings by reciprocal rank; equal scores are ordered by place or id."""
    scores: dict[K, float] = {}
    for ranking in rankings:
        for rank, name in enumerate(ranking, start=1):
            scores[name] = scores.get(name, 0.0) + 1.0 / (_RANK_OFFSET + rank)
    rounded = ((name, round(score, 2 * _DIGITS)) for name, score in scores.items())
    return sorted(rounded, key=lambda pair: (-pair[1], pair[0]))


def _key(chunk: Chunk, embedding: Embedding) -> str:
    """Hash what a vector is made from: equal passages share a key, a changed one gets another."""
    reading = f"/{_READING}" if embedding.name == DEFAULT_EMBEDDING else ""
    made_from = f"{embedding.name}{reading}\0{searched(chunk)}"
    return hashlib.sha256(made_from.encode()).hexdigest()[:40]
