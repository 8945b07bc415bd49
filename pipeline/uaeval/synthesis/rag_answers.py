"""What a RAG over the same knowledge base says to an outside question: evidence, no verdict."""

from dataclasses import dataclass, replace

from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.registry import category
from uaeval.errors import RefusedError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Model
from uaeval.llm.replies import RagAnswer
from uaeval.synthesis.panel import Verifying
from uaeval.synthesis.verify import Proven
from uaeval.types import Candidate, Rejection

PROMPT = "rag/answer"
PASSAGES = 5


@dataclass(frozen=True, slots=True)
class RagAsked:
    """Verify a candidate; ask a RAG each proven outside question."""

    verify: Verifying
    retriever: Retriever
    model: Model

    async def __call__(self, candidate: Candidate) -> Proven | Rejection:
        """Return the outcome of the verifier, with the answer of the RAG if it is proven.

        Raises:
            RecordError: the verifier or the RAG could not be asked, or replied out of form.
            PendingReply: a reply comes in a later batch.
        """
        outcome = await self.verify(candidate)
        if isinstance(outcome, Rejection) or not category(candidate.category).outside:
            return outcome
        return replace(outcome, rag_answer=await self.ask(candidate.question))

    async def ask(self, question: str) -> str:
        """Return what the RAG says; a refusal by the model is an answer like any other.

        Raises:
            RecordError: the RAG could not be asked, or replied out of form.
            PendingReply: the reply comes in a later batch.
        """
        hits = self.retriever.search(question, PASSAGES)
        shown = NumberedPassages(tuple(hit.chunk for hit in hits))
        try:
            return await self.model.ask(
                PROMPT,
                RagAnswer,
                lambda reply: reply.answer,
                question=question,
                passages=shown.passages,
            )
        except RefusedError as refusal:
            return refusal.text
