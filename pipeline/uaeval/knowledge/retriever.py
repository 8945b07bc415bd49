"""The interface of an index: `search` and `get`."""

from dataclasses import dataclass
from typing import Protocol

from uaeval.records import Chunk


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A chunk that a search returned."""

    chunk: Chunk
    similarity: float
    """Cosine similarity of the embeddings, in [-1, 1]."""


class Retriever(Protocol):
    """Searches the whole knowledge base; equal scores are sorted by chunk id."""

    def search(self, text: str, k: int) -> tuple[Hit, ...]:
        """Return at most `k` hits, best first."""

    def get(self, chunk_id: str) -> Chunk:
        """Return a chunk by id; raise `KeyError` if there is none."""
