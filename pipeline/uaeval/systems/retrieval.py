"""Retrieve passages for a question: rewrite, search, rerank."""

from collections.abc import Awaitable, MutableMapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from uaeval.errors import BlockedError, RefusedError
from uaeval.knowledge.index import fused
from uaeval.knowledge.retriever import Retriever
from uaeval.systems.reranking import Reranker
from uaeval.systems.rewriting import Rewriter
from uaeval.types import Hit

T = TypeVar("T")

REWRITING: Final = "rewriting"
RERANKER: Final = "reranker"
_DEPTH: Final = 50
"""Hits of each text that are fused, if there are several texts."""


class PartBlockedError(BlockedError):
    """A content filter blocked the model of a part."""

    def __init__(self, part: str, message: str) -> None:
        super().__init__(message)
        self.part = part


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievedPassages:
    """The passages for one question."""

    hits: tuple[Hit, ...]
    """Best first."""
    stopped: tuple[str, ...] = ()
    """Parts that did nothing, and why: `rewriting refused`, `rewriting gave nothing`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """Rewriter, retriever and reranker, one after the other."""

    retriever: Retriever
    rewriter: Rewriter = field(default_factory=Rewriter)
    reranker: Reranker = field(default_factory=Reranker)
    k: int = 5
    """Passages that are kept."""
    candidates: int = 20
    """Passages that the reranker orders; at least `k`."""
    cache: MutableMapping[str, RetrievedPassages] | None = None
    """Passages retrieved before, by question; new ones are added."""

    async def find(self, question: str) -> RetrievedPassages:
        """Return the `k` best passages, and the parts that did nothing.

        Raises:
            PartBlockedError: a content filter blocked the model of a part.
            RecordError: a call of a part failed, or its reply could not be read.
        """
        if self.cache is not None and question in self.cache:
            return self.cache[question]
        stopped = list[str]()
        rewritten = self.rewriter.texts(question)
        texts = await _unless_refused(REWRITING, rewritten, (question,), stopped)
        if len(texts) == 1 and not stopped and type(self.rewriter) is not Rewriter:
            stopped.append(f"{REWRITING} gave nothing")
        candidates = self.search(texts)
        ordered = self.reranker.ordered(question, candidates)
        hits = await _unless_refused(RERANKER, ordered, candidates, stopped)
        retrieved = RetrievedPassages(hits=hits[: self.k], stopped=tuple(stopped))
        if self.cache is not None:
            self.cache[question] = retrieved
        return retrieved

    def search(self, texts: tuple[str, ...]) -> tuple[Hit, ...]:
        """Return the hits of all texts, fused by rank, for the reranker."""
        count = self.k if type(self.reranker) is Reranker else max(self.k, self.candidates)
        if len(texts) == 1:
            return self.retriever.search(texts[0], count)
        by_text = self.retriever.search_many(texts, max(_DEPTH, count))
        by_id = {hit.chunk.id: hit for hits in reversed(by_text) for hit in hits}
        ranked = fused([[hit.chunk.id for hit in hits] for hits in by_text])[:count]
        return tuple(by_id[identity] for identity, _ in ranked)


async def _unless_refused(
    part: str, work: Awaitable[tuple[T, ...]], instead: tuple[T, ...], stopped: list[str]
) -> tuple[T, ...]:
    """Return the result of a part; `instead` if its model refuses, which is added to `stopped`."""
    try:
        return await work
    except RefusedError:
        stopped.append(f"{part} refused")
        return instead
    except BlockedError as error:
        raise PartBlockedError(part, str(error)) from error
