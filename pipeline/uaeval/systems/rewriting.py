"""What the built-in RAG searches by: the question, and what a model makes of it."""

from typing import Literal, assert_never

from uaeval.llm.model import Model
from uaeval.llm.rag_replies import ImaginedPassage, Rewordings

HYDE = "rag/hyde"
MULTI_QUERY = "rag/multi_query"
MOST_REWORDINGS = 3


class Rewriter:
    """Turns a question into the texts that are searched by: by itself, the question alone."""

    async def texts(self, question: str) -> tuple[str, ...]:
        """Return the texts, of which the question is the first.

        Raises:
            RefusedError: the model refused; nothing was rewritten.
            RecordError: the model could not be asked or understood.
        """
        return (question,)


class Hyde(Rewriter):
    """Searches by an imagined passage too (Gao et al. 2022, arXiv 2212.10496)."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def texts(self, question: str) -> tuple[str, ...]:
        """Return the question and the passage; where the model imagines none, the question."""
        return await self._model.ask(
            HYDE,
            ImaginedPassage,
            lambda reply: _distinct(question, reply.passage or ""),
            question=question,
        )


class MultiQuery(Rewriter):
    """Searches by other wordings too."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def texts(self, question: str) -> tuple[str, ...]:
        """Return the question and its other wordings; where the model gives none, the question."""
        return await self._model.ask(
            MULTI_QUERY,
            Rewordings,
            lambda reply: _distinct(question, *reply.queries[:MOST_REWORDINGS]),
            question=question,
        )


def rewriter_named(name: Literal["none", "hyde", "multi_query"], model: Model) -> Rewriter:
    """Return the rewriter that the settings name."""
    match name:
        case "none":
            return Rewriter()
        case "hyde":
            return Hyde(model)
        case "multi_query":
            return MultiQuery(model)
        case _:
            assert_never(name)


def _distinct(*texts: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))
