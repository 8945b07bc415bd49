"""Search over the whole knowledge base: vectors and words, fused by rank."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from copy import copy
from pathlib import Path
from typing import Final, Self

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.bm25 import WordSearch
from uaeval.knowledge.chroma import CollectionAddress, VectorStore, parse_place
from uaeval.knowledge.embedding import DEFAULT_EMBEDDING, Embedding
from uaeval.knowledge.retriever import Ranking
from uaeval.knowledge.vector_search import VectorSearch
from uaeval.storage import make_folder
from uaeval.types import Chunk, Hit

_RANK_OFFSET: Final = 60
"""The constant of reciprocal rank fusion: how little the very first ranks stand out."""
_DEPTH: Final = 50
"""How many of each ranking are fused at the least; searches for fewer hits than half are one."""
_EMBED_BATCH: Final = 256
_DIGITS: Final = 6
_READING: Final = 2
"""Raised when words are read in another way: the default embedding is then computed anew."""
_REMEMBERED: Final = 4_096
"""Searches whose hits are kept: a candidate's texts are looked up by several checks."""
_MOST_REMEMBERED: Final = 100
"""The deepest search that is kept."""


def build_or_open(chunks: Sequence[Chunk], place: str | Path, embedding: Embedding) -> "Index":
    """Index the chunks in a folder, or on a server (`chroma:http://host:port[#collection]`).

    Only what changed since the last time is embedded; a build that was cut off is completed.

    Raises:
        KnowledgeBaseError: there are no chunks, two have one id, or the server cannot be used.
        StorageError: the folder cannot be used.
    """
    by_id = _by_id(chunks)
    where = _place(place)
    with ExitStack() as undo:
        digest = hashlib.sha256(embedding.name.encode()).hexdigest()
        store = VectorStore(where, f"uaeval-{digest[:16]}")
        undo.callback(store.close)
        _update(store, by_id.values(), embedding)
        index = Index(by_id, store, embedding)
        undo.pop_all()
    return index


class Index:
    """Every chunk of a knowledge base, ready to be searched."""

    def __init__(
        self, chunks: Mapping[str, Chunk], store: VectorStore, embedding: Embedding
    ) -> None:
        self._chunks = dict(chunks)
        self._store = store
        self._embedding = embedding
        self._vectors = _read_vectors(self._chunks.values(), store, embedding)
        self._remembered: dict[tuple[str, int], tuple[Hit, ...]] = {}
        self._ranking = Ranking.FUSED
        self._words = WordSearch({chunk.id: searched(chunk) for chunk in chunks.values()})

    def __len__(self) -> int:
        return len(self._chunks)

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """Every chunk, sorted by id."""
        return tuple(self._chunks.values())

    def ranked_by(self, ranking: Ranking) -> "Index":
        """Return the same index, which it shares, with its hits in another order."""
        other = copy(self)
        other._ranking = ranking
        other._remembered = {}
        return other

    def chunk(self, chunk_id: str) -> Chunk:
        """Return a chunk by id; `KeyError` if there is none."""
        return self._chunks[chunk_id]

    def search(self, text: str, k: int) -> tuple[Hit, ...]:
        """Return at most `k` hits, best first."""
        return self.search_many([text], k)[0]

    def search_many(self, texts: Sequence[str], k: int) -> tuple[tuple[Hit, ...], ...]:
        """Return the hits of each text, in order; the last `_REMEMBERED` searches are at hand."""
        if k < 1:
            return tuple(() for _ in texts)
        depth = max(_DEPTH, 2 * k)
        new = [text for text in dict.fromkeys(texts) if (text, depth) not in self._remembered]
        found = dict(zip(new, self._search(new, depth), strict=True)) if new else {}
        for text in texts:
            if text not in found:
                found[text] = self._remembered[text, depth]
        for text, hits in found.items():
            self._remember(text, depth, hits)
        return tuple(found[text][:k] for text in texts)

    def _remember(self, text: str, depth: int, hits: tuple[Hit, ...]) -> None:
        if depth > _MOST_REMEMBERED:
            return
        self._remembered.pop((text, depth), None)
        self._remembered[text, depth] = hits
        if len(self._remembered) > _REMEMBERED:
            del self._remembered[next(iter(self._remembered))]

    def _search(self, texts: Sequence[str], depth: int) -> Iterator[tuple[Hit, ...]]:
        """Look so deep in each ranking; yield for each text half as many hits at the most."""
        for text, query in zip(texts, self._embedding.queries(texts), strict=True):
            near = self._vectors.search(query, depth)
            ranked = fused(self._rankings(text, near, depth))[: depth // 2]
            by_words = [identity for identity, _ in ranked if identity not in near]
            near |= self._vectors.similarities(query, by_words)
            yield tuple(
                Hit(chunk=self._chunks[identity], score=score, similarity=near[identity])
                for identity, score in ranked
            )

    def _rankings(
        self, text: str, near: Mapping[str, float], depth: int
    ) -> Sequence[Sequence[str]]:
        match self._ranking:
            case Ranking.VECTOR:
                return [list(near)]
            case Ranking.BM25:
                return [self._words.search(text, depth)]
            case Ranking.FUSED:
                return [list(near), self._words.search(text, depth)]

    def close(self) -> None:
        """Let go of the database; once is enough, twice does no harm."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def searched(chunk: Chunk) -> str:
    """Return what a chunk is found by: its title, its headings and its text."""
    return "\n".join(part for part in (chunk.title, chunk.heading, chunk.text) if part)


def fused(rankings: Sequence[Sequence[str]]) -> list[tuple[str, float]]:
    """Fuse rankings by reciprocal rank; equal scores are ordered by id."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, identity in enumerate(ranking, start=1):
            scores[identity] = scores.get(identity, 0.0) + 1.0 / (_RANK_OFFSET + rank)
    rounded = ((identity, round(score, 2 * _DIGITS)) for identity, score in scores.items())
    return sorted(rounded, key=lambda pair: (-pair[1], pair[0]))


def _by_id(chunks: Sequence[Chunk]) -> dict[str, Chunk]:
    if not chunks:
        raise KnowledgeBaseError("there is nothing to index: the knowledge base gave no passages")
    by_id: dict[str, Chunk] = {}
    for chunk in sorted(chunks, key=lambda chunk: chunk.id):
        if chunk.id in by_id:
            raise KnowledgeBaseError(f"two passages have the id {chunk.id!r}; give each its own")
        by_id[chunk.id] = chunk
    return by_id


def _read_vectors(
    chunks: Iterable[Chunk], store: VectorStore, embedding: Embedding
) -> VectorSearch:
    holders: dict[str, list[str]] = {}
    for chunk in chunks:
        holders.setdefault(_key(chunk, embedding), []).append(chunk.id)
    keys = sorted(holders)
    return VectorSearch([holders[key] for key in keys], store.vectors(keys))


def _key(chunk: Chunk, embedding: Embedding) -> str:
    """Hash what a vector is made from, so that equal passages share one and changes show."""
    reading = f"/{_READING}" if embedding.name == DEFAULT_EMBEDDING else ""
    made_from = f"{embedding.name}{reading}\0{searched(chunk)}"
    return hashlib.sha256(made_from.encode()).hexdigest()[:40]


def _place(place: str | Path) -> CollectionAddress:
    address = str(place)
    if address.startswith("chroma:"):
        return parse_place(address)
    make_folder(Path(place))
    return CollectionAddress(address, None, own=True)


def _update(store: VectorStore, chunks: Iterable[Chunk], embedding: Embedding) -> None:
    """Store the vectors that are missing, and remove those of passages that are gone."""
    wanted = {_key(chunk, embedding): searched(chunk) for chunk in chunks}
    present = store.keys()
    store.remove(sorted(present - wanted.keys()))
    missing = sorted(wanted.keys() - present)
    for start in range(0, len(missing), _EMBED_BATCH):
        keys = missing[start : start + _EMBED_BATCH]
        texts = [wanted[key] for key in keys]
        store.put(keys, texts, embedding.passages(texts))
