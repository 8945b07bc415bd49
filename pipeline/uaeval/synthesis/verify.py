"""Verify candidates: code checks, a search of the knowledge base, then a verifier."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from uaeval.categories.base import CategorySpec, check_of
from uaeval.categories.registry import category
from uaeval.categories.verification import VerifierContext, VerifierResult, claim_of
from uaeval.knowledge.retriever import Retriever
from uaeval.records import Candidate, Check, Evidence, Outcome, Rejection
from uaeval.text.words import count_words, frame, normalise, stands_in

FEWEST_WORDS, MOST_WORDS = 3, 60
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
        """Return the proven candidate, or the check that it failed.

        Raises:
            RecordError: the verifier could not be asked, or replied out of form.
            PendingReply: the reply comes in a later batch.
        """
        checks: list[Check] = []
        if rejection := _rejection(candidate, code_checks(candidate, self.retriever), checks):
            return rejection
        spec = category(candidate.category)
        result = await ask_verifier(spec, self, candidate)
        if rejection := _rejection(candidate, _model_checks(spec, result), checks):
            return rejection
        return self._proven(candidate, result, tuple(checks))

    def _proven(
        self, candidate: Candidate, result: VerifierResult, checks: tuple[Check, ...]
    ) -> Proven:
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
            checks=checks,
            hardness=round(max((hit.similarity for hit in hits), default=0.0), 4),
            frame=frame(candidate.question, f"{source.title} {source.heading}"),
        )


async def ask_verifier(
    spec: CategorySpec[Any], context: VerifierContext, candidate: Candidate
) -> VerifierResult:
    """Ask the category's questions; the second one only if the candidate passes the first."""
    first = await spec.ask_verifier(context, candidate)
    if spec.prove is None or first.label != spec.passing_label:
        return first
    twin, evidence = await spec.prove.ask(context, candidate)
    return replace(first, evidence=evidence, twin=twin)


def _rejection(
    candidate: Candidate, checks: Iterable[Check], passed: list[Check]
) -> Rejection | None:
    """Return the rejection by the first check that fails; append those before it to `passed`."""
    for check in checks:
        if not check.passed:
            return Rejection(id=candidate.id, check=check.name, rationale=check.rationale)
        passed.append(check)
    return None


def _model_checks(spec: CategorySpec[Any], result: VerifierResult) -> tuple[Check, ...]:
    wanted = spec.passing_label
    label = Check(
        name=result.label if result.label != wanted else "verifier",
        passed=result.label == wanted,
        rationale=result.rationale,
    )
    proofs = (
        Check(
            name="proof",
            passed=evidence.outcome is Outcome.PROVEN,
            rationale=f"{evidence.outcome}: {evidence.claim}",
        )
        for evidence in result.evidence
    )
    twin = Check(
        name="twin",
        passed=result.twin is not None and result.twin.outcome is Outcome.PROVEN,
        rationale=f"{result.twin.outcome}: {result.twin.claim}" if result.twin else "not asked",
    )
    return (label, *proofs, twin)


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
    twin = candidate.twin
    text = retriever.get(twin.chunk_id).text
    problem = None
    if not stands_in(twin.quote, text):
        problem = f"the twin's quote does not stand in {twin.chunk_id}"
    return check_of("quote", problem, f"the twin's quote stands in {twin.chunk_id}")
