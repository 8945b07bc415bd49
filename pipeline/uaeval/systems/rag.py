"""The built-in RAG: retrieve, show the passages to a model, return what it says."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from uaeval.errors import BlockedError, ModelError, RefusedError, ReplyError, TargetError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Model
from uaeval.llm.replies import RagAnswer
from uaeval.systems.system import Answer
from uaeval.types import Context, Hit, Passage, Query, ResponseStatus

PROMPT = "rag/answer"


@dataclass(frozen=True, slots=True)
class RagSystem:
    """A RAG over the knowledge base that the dataset was made from."""

    retriever: Retriever
    model: Model
    k: int = 5
    """How many passages the model sees."""
    timed: bool = True
    """Whether the time an answer takes says something; in a batch it does not."""
    name: str = "rag"

    async def answer(self, query: Query) -> Answer:
        """Answer from the `k` best passages; a refusal by the model is an answer like any other.

        Raises:
            TargetError: the model could not be reached, or its reply could not be read.
        """
        started = time.perf_counter()
        hits = self.retriever.search(query.question, self.k)
        contexts = tuple(Context(id=hit.chunk.id, text=hit.chunk.text) for hit in hits)
        try:
            reply = await self.model.ask(
                PROMPT, RagAnswer, question=query.question, passages=_passages(hits)
            )
        except BlockedError:
            return Answer(text="", status=ResponseStatus.BLOCKED, contexts=contexts)
        except RefusedError as refusal:
            return Answer(text=refusal.text, contexts=contexts)
        except (ModelError, ReplyError) as error:
            raise TargetError(f"{self.name}: {error}", raw=error.raw) from error
        seconds = round(time.perf_counter() - started, 3) if self.timed else None
        return Answer(text=reply.answer, contexts=contexts, latency_s=seconds)


def _passages(hits: Sequence[Hit]) -> tuple[Passage, ...]:
    return tuple(
        Passage(
            number=number, title=hit.chunk.title, heading=hit.chunk.heading, text=hit.chunk.text
        )
        for number, hit in enumerate(hits, 1)
    )
