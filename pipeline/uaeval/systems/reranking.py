"""Reranking of the built-in RAG: the order in which passages are shown to the model."""

from collections.abc import Sequence

from uaeval.errors import ReplyError
from uaeval.llm.model import Model
from uaeval.llm.rag_replies import PassageOrder
from uaeval.types import Context, Hit, Passage

RERANK = "rag/rerank"
_CROSS_ENCODER = "cross-encoder:"


class Reranker:
    """Orders hits; this base class keeps their order."""

    async def ordered(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """Return all of `hits`, best first.

        Raises:
            RefusedError: the model refused; nothing was ordered.
            RecordError: the model could not be asked or understood.
        """
        return tuple(hits)


class ModelReranker(Reranker):
    """Asks a model to order all passages in one call."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def ordered(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """Return the passages that the model names, then the others in their order."""
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

        return await self._model.ask(
            RERANK, PassageOrder, parse, question=question, passages=numbered(hits)
        )


def reranker_named(name: str, model: Model) -> Reranker:
    """Return the reranker that the settings name.

    Raises:
        ConfigError: the package or the model of a cross-encoder is missing.
    """
    if cross_encoder := check_reranker(name):
        return cross_encoder
    return ModelReranker(model) if name == "model" else Reranker()


def check_reranker(name: str) -> Reranker | None:
    """Load and return the cross-encoder called `name`; `None` for another reranker.

    Raises:
        ConfigError: its package or the model is missing.
    """
    if not name.startswith(_CROSS_ENCODER):
        return None
    from uaeval.systems.cross_encoder import CrossEncoderReranker

    return CrossEncoderReranker(name.removeprefix(_CROSS_ENCODER))


def context_of(hit: Hit) -> Context:
    """Return a hit as a context of the response."""
    above = (hit.chunk.title, hit.chunk.heading)
    return Context(id=hit.chunk.id, text=hit.chunk.text, heading=" › ".join(filter(None, above)))


def numbered(hits: Sequence[Hit]) -> tuple[Passage, ...]:
    """Return hits as numbered passages for a prompt."""
    return tuple(
        Passage(
            number=number, title=hit.chunk.title, heading=hit.chunk.heading, text=hit.chunk.text
        )
        for number, hit in enumerate(hits, 1)
    )
