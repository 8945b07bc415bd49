"""Put a candidate to several verifiers, then to a RAG, and to a model without passages."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.registry import category
from uaeval.errors import BlockedError, RefusedError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Field, Model
from uaeval.llm.replies import ClosedBookAnswer, RagAnswer
from uaeval.llm.votes import count_votes, majority, votes_text
from uaeval.records import Candidate, Check, Rejection
from uaeval.runner import all_of
from uaeval.synthesis.verify import Proven
from uaeval.text.words import covered_by

RAG_PROMPT = "rag/answer"
RAG_PASSAGES = 5
CLOSED_BOOK = "rag/closed_book"
"""The prompt that asks a question without passages."""
GOT_RIGHT = "the model answers the twin and declines the query without the knowledge base"
Verifying: TypeAlias = Callable[[Candidate], Awaitable[Proven | Rejection]]


@dataclass(frozen=True, slots=True)
class Panel:
    """Check one candidate with every member; an error never passes it.

    The vote of a member is "proven", or the name of the check that the candidate fails. More than
    half of the members must prove it.
    """

    members: tuple[Verifying, ...]
    rag: Callable[[str], Awaitable[str]] | None = None
    """Asks a RAG each proven query that was written from an outside article."""
    closed_book: Callable[[str], Awaitable[str | None]] | None = None
    """Asks a model each proven query and its twin without passages; returns `None` if the model
    declines."""
    drop_easy: bool = False
    """Whether a pair that this model gets right is rejected, so that another takes its place."""

    async def __call__(self, candidate: Candidate) -> Proven | Rejection:
        """Return the majority's outcome, with the answers of the RAG and of the model.

        Raise the errors of `Model.ask`: a model that gave no usable reply has no vote.
        """
        outcome = await self._vote(candidate)
        if isinstance(outcome, Rejection):
            return outcome
        if self.rag and category(candidate.category).outside:
            outcome = replace(outcome, rag_answer=await self.rag(candidate.question))
        if self.closed_book is None:
            return outcome
        questions = (candidate.twin.question, candidate.question)
        try:
            twin_answer, answer = await all_of([*map(self.closed_book, questions)])
        except BlockedError:  # by a content filter: neither a refusal nor an answer
            return outcome
        expected = candidate.twin.reference_answer
        right = answer is None and twin_answer is not None and covered_by(expected, twin_answer)
        if right and self.drop_easy:
            return Rejection(id=candidate.id, check="easy", rationale=GOT_RIGHT)
        return replace(outcome, closed_book=right)

    async def _vote(self, candidate: Candidate) -> Proven | Rejection:
        outcomes = await all_of([verify(candidate) for verify in self.members])
        if len(outcomes) == 1:
            return outcomes[0]
        labels = [vote.check if isinstance(vote, Rejection) else "proven" for vote in outcomes]
        votes = votes_text(count_votes(labels))
        winner = majority(labels)
        if winner is None:
            rationale = f"no outcome has a majority: {votes}"
            return Rejection(id=candidate.id, check="no_majority", rationale=rationale)
        outcome = outcomes[labels.index(winner)]
        if not isinstance(outcome, Rejection):
            check = Check(name="majority", passed=True, rationale=f"votes: {votes}")
            return replace(outcome, checks=(*outcome.checks, check))
        return replace(outcome, rationale=f"{outcome.rationale} (votes: {votes})")


async def ask_rag(retriever: Retriever, model: Model, question: str) -> str:
    """Return the answer of a RAG; a refusal by the model counts as an answer."""
    hits = retriever.search(question, RAG_PASSAGES)
    passages = NumberedPassages(tuple(hit.chunk for hit in hits)).passages
    fields: dict[str, Field] = {"question": question, "passages": passages}
    try:
        return await model.ask(RAG_PROMPT, RagAnswer, lambda reply: reply.answer, **fields)
    except RefusedError as refusal:
        return refusal.text


async def ask_closed_book(model: Model, question: str) -> str | None:
    """Return the model's answer without passages; `None` if it declines."""
    try:
        return await model.ask(
            CLOSED_BOOK, ClosedBookAnswer, lambda reply: reply.answer, question=question
        )
    except RefusedError:
        return None
