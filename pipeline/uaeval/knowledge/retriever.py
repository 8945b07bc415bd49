"""The interface of an index: `search` and `get`."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from uaeval.records import Chunk


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A chunk that a search returned."""

    chunk: Chunk
    score: float
    """Fused rank score; comparable within one search only."""
    similarity: float
    """Cosine similarity of the embeddings, in [-1, 1]."""


class Ranking(StrEnum):
    """How hits are sorted."""

    VECTOR = "vector"
    """Cosine similarity of the embeddings."""
    BM25 = "bm25"
    """BM25 score of the words that a passage shares with the search text."""
    FUSED = "fused"
    """Both rankings, fused by reciprocal rank."""


class Retriever(Protocol):
    """Searches the whole knowledge base; equal scores are sorted by chunk id."""

    def search(self, text: str, k: int) -> tuple[Hit, ...]:
        """Return at most `k` hits, best first."""

    def get(self, chunk_id: str) -> Chunk:
        """Return a chunk by id; raise `KeyError` if there is none."""
