"""Reranking of the built-in RAG: the order in which passages are shown to the model."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeAlias

from uaeval.errors import ReplyError
from uaeval.llm.model import Model
from uaeval.llm.replies import PassageOrder
from uaeval.records import Context, Hit, Passage

Reranker: TypeAlias = Callable[[str, Sequence[Hit]], Awaitable[tuple[Hit, ...]]]
"""Return all hits for a question, best first; a `RecordError` if a model failed."""

RERANK = "rag/rerank"
_CROSS_ENCODER = "cross-encoder:"


def reranker_named(name: str, model: Model) -> Reranker | None:
    """Return the reranker that the settings name; `None` for `none`."""
    return partial(_model_order, model) if name == "model" else check_reranker(name)


def check_reranker(name: str) -> Reranker | None:
    """Load and return the cross-encoder called `name`; `None` for another reranker."""
    if not name.startswith(_CROSS_ENCODER):
        return None
    from uaeval.systems.cross_encoder import CrossEncoderReranker

    return CrossEncoderReranker(name.removeprefix(_CROSS_ENCODER)).ordered


async def _model_order(model: Model, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the passages that the model names, in one call, then the others in their order."""
    if len(hits) < 2:
        return tuple(hits)

    def parse(reply: PassageOrder) -> tuple[Hit, ...]:
        if len(set(reply.order)) < len(reply.order):
            raise ReplyError("`order` names a passage twice")
        if not set(reply.order) <= set(range(1, len(hits) + 1)):
            raise ReplyError(f"`order` names a passage that was not shown: {reply.order}")
        named = [number - 1 for number in reply.order]
        others = [place for place in range(len(hits)) if place not in named]
        return tuple(hits[place] for place in (*named, *others))

    passages = numbered(hits)
    return await model.ask(RERANK, PassageOrder, parse, question=question, passages=passages)


def context_of(hit: Hit) -> Context:
    """Return a hit as a context of the response."""
    above = (hit.chunk.title, hit.chunk.heading)
    return Context(id=hit.chunk.id, text=hit.chunk.text, heading=" › ".join(filter(None, above)))


def numbered(hits: Sequence[Hit]) -> tuple[Passage, ...]:
    """Return hits as numbered passages for a prompt."""
    chunks = [hit.chunk for hit in hits]
    return tuple(
        Passage(number=number, title=chunk.title, heading=chunk.heading, text=chunk.text)
        for number, chunk in enumerate(chunks, 1)
    )
