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

    async def __call__(self, candidate: Candidate) -> Proven | Rejection:
        """Return the outcome of the majority, or a rejection if there is none.

        Raises:
            RecordError: a verifier could not be asked, or its reply makes no sense; not a vote.
            PendingReply: a reply comes in a later batch.
        """
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
        hits = self.retriever.search(question, RAG_PASSAGES)
        shown = NumberedPassages(tuple(hit.chunk for hit in hits))
        try:
            return await self.model.ask(
                RAG_PROMPT,
                RagAnswer,
                lambda reply: reply.answer,
                question=question,
                passages=shown.passages,
            )
        except RefusedError as refusal:
            return refusal.text


@dataclass(frozen=True, slots=True)
class ClosedBookCheck:
    """Verify a candidate; put a proven query and its twin to the model without passages."""

    verify: Verifying
    model: Model
    drop: bool
    """Whether a pair is rejected that the model gets right, so that another takes its place."""

    async def __call__(self, candidate: Candidate) -> Proven | Rejection:
        """Return the outcome of the verifier, with whether the model gets a proven pair right.

        Raises:
            RecordError: a model could not be asked, or replied out of form.
            PendingReply: a reply comes in a later batch.
        """
        outcome = await self.verify(candidate)
        if isinstance(outcome, Rejection):
            return outcome
        twin = candidate.twin
        try:
            answer, other = await all_of([self.ask(twin.question), self.ask(candidate.question)])
        except BlockedError:  # by a content filter: no refusal, and no answer
            return outcome
        right = other is None and answer is not None and covered_by(twin.reference_answer, answer)
        if right and self.drop:
            return Rejection(id=candidate.id, check="easy", rationale=GOT_RIGHT)
        return replace(outcome, closed_book=right)

    async def ask(self, question: str) -> str | None:
        """Return what the model says without passages; `None` if it declines.

        Raises:
            RecordError: the model could not be asked, was blocked, or replied out of form.
            PendingReply: the reply comes in a later batch.
        """
        try:
            return await self.model.ask(
                CLOSED_BOOK, ClosedBookAnswer, lambda reply: reply.answer, question=question
            )
        except RefusedError:
            return None
