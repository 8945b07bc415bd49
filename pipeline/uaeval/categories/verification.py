"""What a category's verifier works with: the passages it is shown, and the question it is asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from uaeval.categories.evidence import VerifierResult, finding_of
from uaeval.categories.numbered_passages import NumberedPassages, enough_for_twin, evidence_for
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Field, Model
from uaeval.llm.replies import Reply, Verification
from uaeval.records import Candidate, Chunk

R = TypeVar("R", bound=Reply)


@dataclass(frozen=True, slots=True)
class VerifierContext:
    """The index and the model behind a verification."""

    retriever: Retriever
    model: Model
    modalities: str
    """What the system under test supports."""
    passages_shown: int

    def shown(
        self,
        candidate: Candidate,
        *claims: str,
        limit: int | None = None,
        beside: Sequence[Chunk] = (),
    ) -> NumberedPassages:
        """Show the best hits for the query, its twin and its claims, the twin's chunk, `beside`."""
        texts = (candidate.question, candidate.twin.question, *claims)
        source = self.retriever.get(candidate.twin.chunk_id)
        return evidence_for(self.retriever, texts, source, limit or self.passages_shown, beside)

    def shown_for_twin(self, candidate: Candidate) -> NumberedPassages:
        """Show fewer hits, where the passages tell on no claim but the twin's."""
        return self.shown(candidate, limit=enough_for_twin(self.passages_shown))

    async def ask(
        self,
        candidate: Candidate,
        shown: NumberedPassages,
        reply_type: type[R],
        read: Callable[[R], VerifierResult],
        **fields: Field,
    ) -> VerifierResult:
        """Ask about query and twin together; `fields` are the category's own."""
        return await self.model.ask(
            f"{candidate.category}/verify",
            reply_type,
            read,
            question=candidate.question,
            twin_question=candidate.twin.question,
            twin_answer=candidate.twin.reference_answer,
            passages=shown.passages,
            **fields,
        )


async def verify_with_twin(
    context: VerifierContext, candidate: Candidate, reply_type: type[Verification], **fields: Field
) -> VerifierResult:
    """Ask about query and twin, with no claim beside the twin's.

    Raises:
        RecordError: the verifier could not be asked, or its reply makes no sense.
        PendingReply: the reply comes in a later batch.
    """
    shown = context.shown_for_twin(candidate)

    def read(reply: Verification) -> VerifierResult:
        return finding_of(candidate, reply, (), shown)

    return await context.ask(candidate, shown, reply_type, read, **fields)
