"""Query rewriting of the built-in RAG: the texts that it searches by."""

from typing import Literal

from uaeval.llm.model import Model
from uaeval.llm.rag_replies import ImaginedPassage, Rewordings

HYDE = "rag/hyde"
MULTI_QUERY = "rag/multi_query"
MOST_REWORDINGS = 3


class Rewriter:
    """Returns the texts to search by; this base class, the question alone."""

    async def texts(self, question: str) -> tuple[str, ...]:
        """Return the texts to search by, the question first.

        Raises:
            RefusedError: the model refused; nothing was rewritten.
            RecordError: the model could not be asked or understood.
        """
        return (question,)


class ModelRewriter(Rewriter):
    """Asks a model for further texts."""

    def __init__(self, model: Model) -> None:
        self._model = model


class Hyde(ModelRewriter):
    """Also searches by an imagined passage (Gao et al. 2022, arXiv 2212.10496)."""

    async def texts(self, question: str) -> tuple[str, ...]:
        """Return the question, and the imagined passage if the model gives one."""
        return await self._model.ask(
            HYDE,
            ImaginedPassage,
            lambda reply: _distinct(question, reply.passage or ""),
            question=question,
        )


class MultiQuery(ModelRewriter):
    """Also searches by other wordings."""

    async def texts(self, question: str) -> tuple[str, ...]:
        """Return the question, and the other wordings that the model gives."""
        return await self._model.ask(
            MULTI_QUERY,
            Rewordings,
            lambda reply: _distinct(question, *reply.queries[:MOST_REWORDINGS]),
            question=question,
        )


def rewriter_named(name: Literal["none", "hyde", "multi_query"], model: Model) -> Rewriter:
    """Return the rewriter that the settings name."""
    if name == "none":
        return Rewriter()
    return Hyde(model) if name == "hyde" else MultiQuery(model)


def _distinct(*texts: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))
