"""Finding the passages for a question: rewrite it, search, order what was found."""

from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Final

from uaeval.knowledge.index import fused
from uaeval.knowledge.retriever import Retriever
from uaeval.systems.reranking import AsRetrieved, Reranker
from uaeval.systems.rewriting import AsAsked, Rewriter
from uaeval.types import Hit

_DEPTH: Final = 50
"""Hits of each text that are fused, where there are several texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """Rewriter, retriever and reranker, one after the other."""

    retriever: Retriever
    rewriter: Rewriter = field(default_factory=AsAsked)
    reranker: Reranker = field(default_factory=AsRetrieved)
    k: int = 5
    """Passages that are kept."""
    candidates: int = 20
    """Passages that the reranker orders, `k` at least."""
    found: MutableMapping[str, tuple[Hit, ...]] | None = None
    """What was found before, by question; it is added to."""

    async def hits(self, question: str) -> tuple[Hit, ...]:
        """Return the `k` best passages.

        Raises:
            RecordError: a model that has a part in it could not be asked or understood.
        """
        if self.found is not None and question in self.found:
            return self.found[question]
        texts = await self.rewriter.texts(question)
        hits = (await self.reranker.ordered(question, self.search(texts)))[: self.k]
        if self.found is not None:
            self.found[question] = hits
        return hits

    def search(self, texts: tuple[str, ...]) -> tuple[Hit, ...]:
        """Return what the reranker is given: the hits of all texts, fused by rank."""
        count = self.k if isinstance(self.reranker, AsRetrieved) else max(self.k, self.candidates)
        if len(texts) == 1:
            return self.retriever.search(texts[0], count)
        found = self.retriever.search_many(texts, max(_DEPTH, count))
        by_id = {hit.chunk.id: hit for hits in reversed(found) for hit in hits}
        ranked = fused([[hit.chunk.id for hit in hits] for hits in found])[:count]
        return tuple(by_id[identity] for identity, _ in ranked)
