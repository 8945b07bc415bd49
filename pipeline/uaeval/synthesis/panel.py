"""Verify a candidate several times; ask a RAG, and a model without passages, what is proven."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.registry import category
from uaeval.errors import BlockedError, RefusedError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Model
from uaeval.llm.replies import ClosedBookAnswer, RagAnswer
from uaeval.llm.votes import count_votes, majority, votes_text
from uaeval.records import Candidate, Check, Rejection
from uaeval.runner import all_of
from uaeval.synthesis.verify import Proven
from uaeval.text.words import covered_by

Verifying: TypeAlias = Callable[[Candidate], Awaitable[Proven | Rejection]]

RAG_PROMPT = "rag/answer"
RAG_PASSAGES = 5
CLOSED_BOOK = "rag/closed_book"
"""The prompt that asks a question without passages."""
GOT_RIGHT = "the model answers the twin and declines the query without the knowledge base"
PROVEN = "proven"
NO_MAJORITY = "no_majority"


@dataclass(frozen=True, slots=True)
class Panel:
    """Check one candidate with every member; fails closed.

    A member votes that the candidate is proven, or for the check that it fails. More than half of
    them must prove it.
    """

    members: tuple[Verifying, ...]
    rag: Callable[[str], Awaitable[str]] | None = None
    """Asks a RAG; it is put each proven outside question."""
    closed_book: Callable[[str], Awaitable[str | None]] | None = None
    """Asks a model without passages; it is put each proven query and its twin."""
    drop_easy: bool = False
    """Whether a pair is rejected that this model gets right, so that another takes its place."""

    async def __call__(self, candidate: Candidate) -> Proven | Rejection:
        """Return the outcome of the majority with what was answered, or a rejection.

        Raises:
            RecordError: a model could not be asked, or its reply makes no sense; not a vote.
            PendingReply: a reply comes in a later batch.
        """
        outcome = await self._vote(candidate)
        if isinstance(outcome, Rejection):
            return outcome
        if self.rag and category(candidate.category).outside:
            outcome = replace(outcome, rag_answer=await self.rag(candidate.question))
        if self.closed_book is None:
            return outcome
        asks = map(self.closed_book, (candidate.twin.question, candidate.question))
        try:
            answer, other = await all_of([*asks])
        except BlockedError:  # by a content filter: no refusal, and no answer
            return outcome
        expected = candidate.twin.reference_answer
        right = other is None and answer is not None and covered_by(expected, answer)
        if right and self.drop_easy:
            return Rejection(id=candidate.id, check="easy", rationale=GOT_RIGHT)
        return replace(outcome, closed_book=right)

    async def _vote(self, candidate: Candidate) -> Proven | Rejection:
        outcomes = await all_of([verify(candidate) for verify in self.members])
        if len(outcomes) == 1:
            return outcomes[0]
        labels = [each.check if isinstance(each, Rejection) else PROVEN for each in outcomes]
        votes = votes_text(count_votes(labels))
        winner = majority(labels)
        if winner is None:
            rationale = f"no outcome has a majority: {votes}"
            return Rejection(id=candidate.id, check=NO_MAJORITY, rationale=rationale)
        outcome = outcomes[labels.index(winner)]
        if not isinstance(outcome, Rejection):
            check = Check(name="majority", passed=True, rationale=f"votes: {votes}")
            return replace(outcome, checks=(*outcome.checks, check))
        return replace(outcome, rationale=f"{outcome.rationale} (votes: {votes})")


async def ask_rag(retriever: Retriever, model: Model, question: str) -> str:
    """Return what a RAG says; a refusal by the model is an answer like any other."""
    hits = retriever.search(question, RAG_PASSAGES)
    shown = NumberedPassages(tuple(hit.chunk for hit in hits))
    try:
        return await model.ask(
            RAG_PROMPT,
            RagAnswer,
            lambda reply: reply.answer,
            question=question,
            passages=shown.passages,
        )
    except RefusedError as refusal:
        return refusal.text


async def ask_closed_book(model: Model, question: str) -> str | None:
    """Return what the model says without passages; `None` if it declines."""
    try:
        return await model.ask(
            CLOSED_BOOK, ClosedBookAnswer, lambda reply: reply.answer, question=question
        )
    except RefusedError:
        return None
