"""Retrieve passages for a question: rewrite, search, rerank."""

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, TypeAlias, TypeVar

from uaeval.errors import BlockedError, RefusedError
from uaeval.knowledge.index import fused
from uaeval.knowledge.retriever import Hit, Retriever
from uaeval.llm.model import Model
from uaeval.llm.replies import ImaginedPassage, Rewordings
from uaeval.systems.reranking import Reranker

T = TypeVar("T")

Rewriter: TypeAlias = Callable[[str], Awaitable[tuple[str, ...]]]
"""Returns the texts to search by, the question first; raises `RecordError` if a model failed."""

REWRITING_PROMPTS: Final = {"hyde": "rag/hyde", "multi_query": "rag/multi_query"}
"""The prompt of each rewriting in the settings."""
_MOST_REWORDINGS: Final = 3
_REWRITING: Final = "rewriting"
_RERANKER: Final = "reranker"
_DEPTH: Final = 50
"""Number of hits of each text that are fused, if there are several texts."""


class PartBlockedError(BlockedError):
    """A content filter blocked the model of the rewriter or of the reranker."""

    def __init__(self, part: str, message: str) -> None:
        super().__init__(message)
        self.part = part


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievedPassages:
    """The passages for one question."""

    hits: tuple[Hit, ...]
    """Best first."""
    stopped: tuple[str, ...] = ()
    """Parts without effect, and why, such as `rewriting refused` or `rewriting gave nothing`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """Rewriter, retriever and reranker, one after the other."""

    retriever: Retriever
    rewriter: Rewriter | None = None
    """`None`: the question alone is searched."""
    reranker: Reranker | None = None
    """`None`: the retriever's order is kept."""
    k: int = 5
    """Number of passages that are returned."""
    candidates: int = 20
    """Number of passages that the reranker sorts; at least `k`."""
    cache: MutableMapping[str, RetrievedPassages] | None = None
    """Passages that were retrieved earlier, by question; new ones are added."""

    async def find(self, question: str) -> RetrievedPassages:
        """Return the `k` best passages, and the parts without effect.

        Raises:
            PartBlockedError: a content filter blocked the model of a part.
            RecordError: a call of a part failed, or its reply could not be read.
        """
        if self.cache is not None and question in self.cache:
            return self.cache[question]
        stopped = list[str]()
        texts: tuple[str, ...] = (question,)
        if self.rewriter:
            texts = await _unless_refused(_REWRITING, self.rewriter(question), texts, stopped)
            if len(texts) == 1 and not stopped:
                stopped.append(f"{_REWRITING} gave nothing")
        hits = self.search(texts)
        if self.reranker:
            ordered = self.reranker(question, hits)
            hits = await _unless_refused(_RERANKER, ordered, hits, stopped)
        retrieved = RetrievedPassages(hits=hits[: self.k], stopped=tuple(stopped))
        if self.cache is not None:
            self.cache[question] = retrieved
        return retrieved

    def search(self, texts: tuple[str, ...]) -> tuple[Hit, ...]:
        """Return the hits of all texts, fused by rank; enough of them for the reranker."""
        count = max(self.k, self.candidates) if self.reranker else self.k
        if len(texts) == 1:
            return self.retriever.search(texts[0], count)
        by_text = [self.retriever.search(text, max(_DEPTH, count)) for text in texts]
        by_id = {hit.chunk.id: hit for hits in reversed(by_text) for hit in hits}
        ranked = fused([[hit.chunk.id for hit in hits] for hits in by_text])[:count]
        return tuple(by_id[identity] for identity, _ in ranked)


async def _unless_refused(
    part: str, work: Awaitable[tuple[T, ...]], default: tuple[T, ...], stopped: list[str]
) -> tuple[T, ...]:
    """Return the result of a part; or `default`, with a note in `stopped`, if its model refuses."""
    try:
        return await work
    except RefusedError:
        stopped.append(f"{part} refused")
        return default
    except BlockedError as error:
        raise PartBlockedError(part, str(error)) from error


def rewriter_named(name: Literal["none", "hyde", "multi_query"], model: Model) -> Rewriter | None:
    """Return the rewriter that the settings name.

    `hyde` adds an imagined passage to the question (Gao et al. 2022, arXiv 2212.10496),
    `multi_query` adds other wordings.
    """
    return None if name == "none" else partial(_rewritten, name, model)


async def _rewritten(name: str, model: Model, question: str) -> tuple[str, ...]:
    prompt = REWRITING_PROMPTS[name]
    if name == "hyde":
        imagined = await model.ask(
            prompt, ImaginedPassage, lambda reply: reply.passage or "", question=question
        )
        added = [imagined]
    else:
        added = await model.ask(
            prompt, Rewordings, lambda reply: [*reply.queries[:_MOST_REWORDINGS]], question=question
        )
    return tuple(dict.fromkeys(text.strip() for text in (question, *added) if text.strip()))
