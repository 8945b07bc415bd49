"""Verify candidates: code checks, a search, verifiers; then a RAG and a model without passages."""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from uaeval.categories.base import CategorySpec, check_of
from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.registry import category
from uaeval.categories.verification import VerifierContext, VerifierResult, claim_of
from uaeval.errors import BlockedError, RefusedError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Model, count_votes, majority, votes_text
from uaeval.llm.replies import ClosedBookAnswer, Naturalness, RagAnswer
from uaeval.records import Candidate, Check, Evidence, Outcome, Rejection
from uaeval.runner import all_of
from uaeval.text.words import count_words, covered_by, frame, normalise, stands_in

FEWEST_WORDS, MOST_WORDS = 3, 60
RAG_PROMPT = "rag/answer"
RAG_PASSAGES = 5
CLOSED_BOOK = "rag/closed_book"
"""The prompt that asks a question without passages."""
GOT_RIGHT = "the model answers the twin and declines the query without the knowledge base"
_AUTHORS_VIEW = re.compile(
    r"\b(?:the|this|that|given|above)\s+(?:passage|excerpt|article|text above|snippet)\b", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proven:
    """A candidate that passed every check, with its evidence."""

    id: str
    candidate: Candidate
    query_evidence: tuple[Evidence, ...]
    twin_evidence: Evidence
    checks: tuple[Check, ...]
    hardness: float
    """Best cosine similarity of the query in the knowledge base."""
    one_subject: bool = True
    """Whether query and twin are about one thing."""
    natural: Naturalness = None
    """Whether a user would type the query so."""
    frame: str = ""
    """See `uaeval.text.words.frame`; its subject is the title and heading of the twin's passage."""
    closed_book: bool | None = None
    """Whether a model without passages answers the twin and declines the query; `None`: unknown."""
    rag_answer: str | None = None
    """The answer of a RAG over the knowledge base to the query, if it was asked."""


class Verify(VerifierContext):
    """Check one candidate; an error never passes it."""

    __slots__ = ()

    async def __call__(self, candidate: Candidate) -> Proven | Rejection:
        """Return the proven candidate, or the failed check; raise the errors of `Model.ask`."""
        checks: list[Check] = []
        if rejection := _rejection(candidate, code_checks(candidate, self.retriever), checks):
            return rejection
        spec = category(candidate.category)
        result = await spec.ask_verifier(self, candidate)
        if spec.prove and result.label == spec.passing_label:
            twin, evidence = await spec.prove.ask(self, candidate)
            result = replace(result, evidence=evidence, twin=twin)
        if rejection := _rejection(candidate, _model_checks(spec, result), checks):
            return rejection
        assert result.twin is not None
        claims = {evidence.claim for evidence in result.evidence}
        readings = tuple(r for r in candidate.readings if claim_of(r.question, r.answer) in claims)
        candidate = replace(candidate, readings=readings)
        hits = self.retriever.search(candidate.question, self.passages_shown)
        source = self.retriever.get(candidate.twin.chunk_id)
        return Proven(
            id=candidate.id,
            candidate=candidate,
            query_evidence=result.evidence,
            twin_evidence=result.twin,
            checks=tuple(checks),
            one_subject=result.one_subject,
            natural=result.natural,
            hardness=round(max((hit.similarity for hit in hits), default=0.0), 4),
            frame=frame(candidate.question, f"{source.title} {source.heading}"),
        )


def _rejection(
    candidate: Candidate, checks: Iterable[Check], passed: list[Check]
) -> Rejection | None:
    """Return the rejection by the first check that fails; append those before it to `passed`."""
    for check in checks:
        if not check.passed:
            return Rejection(id=candidate.id, check=check.name, rationale=check.rationale)
        passed.append(check)
    return None


def _model_checks(spec: CategorySpec[Any], result: VerifierResult) -> Iterator[Check]:
    passed = result.label == spec.passing_label
    name = "verifier" if passed else result.label
    yield Check(name=name, passed=passed, rationale=result.rationale)
    for name, evidence in [*(("proof", each) for each in result.evidence), ("twin", result.twin)]:
        proven = evidence is not None and evidence.outcome is Outcome.PROVEN
        rationale = f"{evidence.outcome}: {evidence.claim}" if evidence else "not asked"
        yield Check(name=name, passed=proven, rationale=rationale)


def code_checks(candidate: Candidate, retriever: Retriever) -> Iterator[Check]:
    """Yield each check of the candidate, cheapest first; the first that fails rejects it."""
    yield _wording(candidate)
    yield _quote(candidate, retriever)
    for check in category(candidate.category).checks:
        yield check(candidate, retriever)


def _wording(candidate: Candidate) -> Check:
    question, twin = candidate.question, candidate.twin.question
    problem = None
    if normalise(question) == normalise(twin):
        problem = "the query is the same as its twin"
    elif not FEWEST_WORDS <= count_words(question) <= MOST_WORDS:
        problem = f"the query has {count_words(question)} words"
    elif _AUTHORS_VIEW.search(f"{question} {twin}"):
        problem = "the query speaks of a passage that its user cannot see"
    elif not candidate.twin.reference_answer:
        problem = "the twin has no reference answer"
    return check_of("wording", problem, "a question of its own, of a usual length")


def _quote(candidate: Candidate, retriever: Retriever) -> Check:
    chunk_id = candidate.twin.chunk_id
    missing = not stands_in(candidate.twin.quote, retriever.get(chunk_id).text)
    problem = f"the twin's quote does not stand in {chunk_id}" if missing else None
    return check_of("quote", problem, f"the twin's quote stands in {chunk_id}")


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
    shown = NumberedPassages(tuple(hit.chunk for hit in hits)).passages
    try:
        return await model.ask(
            RAG_PROMPT, RagAnswer, lambda reply: reply.answer, question=question, passages=shown
        )
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
