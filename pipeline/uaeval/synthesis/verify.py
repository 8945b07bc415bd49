"""From a candidate to a proven pair: code checks, a search of everything, then a verifier."""

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from uaeval.categories import CATEGORIES
from uaeval.errors import ReplyError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Model, R, identity
from uaeval.llm.replies import (
    FalsePresuppositionVerification,
    ModalityLimitedVerification,
    NonsensicalVerification,
    OutOfDatabaseVerification,
    SafetyConcernedVerification,
    UnderspecifiedVerification,
)
from uaeval.prompts import Field
from uaeval.synthesis.absence import shown_for
from uaeval.synthesis.checks import code_checks
from uaeval.synthesis.evidence import VerifierResult, claim_of, evidence_on, finding_of
from uaeval.synthesis.numbered_passages import NumberedPassages, enough_for_twin, evidence_for
from uaeval.synthesis.readings import prove_readings
from uaeval.types import Candidate, Category, Check, Evidence, Outcome, Reading, Rejection

ABSENCE = 1.5
"""How many times more passages are shown where their silence is the proof."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proven:
    """A candidate that passed every check, with what proves it."""

    id: str
    candidate: Candidate
    query_evidence: tuple[Evidence, ...]
    twin_evidence: Evidence
    checks: tuple[Check, ...]
    hardness: float
    """Best cosine similarity of the query in the knowledge base."""
    rag_answer: str | None = None
    """What a RAG over the knowledge base said to the query, if it was asked."""


@dataclass(frozen=True, slots=True)
class Verify:
    """Check one candidate; fails closed."""

    retriever: Retriever
    model: Model
    modalities: str
    passages_shown: int

    async def __call__(self, candidate: Candidate) -> Proven | Rejection:
        """Return the proven candidate, or the check that it failed.

        Raises:
            RecordError: the verifier could not be asked, or replied out of form.
            Pending: the verifier's answer is not there yet.
        """
        checks: list[Check] = []
        for check in code_checks(candidate, self.retriever, self.passages_shown):
            if not check.passed:
                return _reject(candidate, check)
            checks.append(check)
        finding = await VERIFIERS[candidate.category](self, candidate)
        for check in _model_checks(candidate.category, finding):
            if not check.passed:
                return _reject(candidate, check)
            checks.append(check)
        return self._proven(candidate, finding, tuple(checks))

    def _proven(
        self, candidate: Candidate, finding: VerifierResult, checks: tuple[Check, ...]
    ) -> Proven:
        assert finding.twin is not None
        candidate = replace(candidate, readings=_proven_readings(candidate, finding))
        best = self.retriever.search(candidate.question, self.passages_shown)
        return Proven(
            id=candidate.id,
            candidate=candidate,
            query_evidence=finding.evidence,
            twin_evidence=finding.twin,
            checks=checks,
            hardness=round(max((hit.similarity for hit in best), default=0.0), 4),
        )

    def shown(
        self, candidate: Candidate, *claims: str, limit: int | None = None
    ) -> NumberedPassages:
        """Show the best hits for the query, its twin and its claims, and the twin's chunk."""
        texts = (candidate.question, candidate.twin.question, *claims)
        source = self.retriever.chunk(candidate.twin.chunk_id)
        return evidence_for(self.retriever, texts, source, limit or self.passages_shown)

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


def _proven_readings(candidate: Candidate, finding: VerifierResult) -> tuple[Reading, ...]:
    """Leave out the readings that were not proven; enough others were, or it had been rejected."""
    claims = {evidence.claim for evidence in finding.evidence}
    return tuple(one for one in candidate.readings if claim_of(one.question, one.answer) in claims)


def _reject(candidate: Candidate, check: Check) -> Rejection:
    return Rejection(id=candidate.id, check=check.name, rationale=check.rationale)


def _model_checks(category: Category, finding: VerifierResult) -> tuple[Check, ...]:
    """Turn a finding into checks: the label, each proof, and the twin."""
    wanted = CATEGORIES[category].passing_label
    label = Check(
        name=finding.label if finding.label != wanted else "verifier",
        passed=finding.label == wanted,
        rationale=finding.rationale,
    )
    proofs = (
        Check(
            name="proof",
            passed=evidence.outcome is Outcome.PROVEN,
            rationale=f"{evidence.outcome}: {evidence.claim}",
        )
        for evidence in finding.evidence
    )
    twin = Check(
        name="twin",
        passed=finding.twin is not None and finding.twin.outcome is Outcome.PROVEN,
        rationale=f"{finding.twin.outcome}: {finding.twin.claim}" if finding.twin else "not asked",
    )
    return (label, *proofs, twin)


async def _underspecified(work: Verify, candidate: Candidate) -> VerifierResult:
    shown = work.shown(candidate, *(reading.question for reading in candidate.readings))
    reply = await work.model.ask(
        "underspecified/verify",
        UnderspecifiedVerification,
        identity,
        question=candidate.question,
        passages=shown.passages,
    )
    if reply.label != CATEGORIES[candidate.category].passing_label:
        return VerifierResult(label=reply.label, rationale=reply.rationale, evidence=(), twin=None)
    twin, readings = await prove_readings(
        candidate, work.retriever, work.model, work.passages_shown
    )
    return VerifierResult(
        label=reply.label, rationale=reply.rationale, evidence=readings, twin=twin
    )


async def _false_presupposition(work: Verify, candidate: Candidate) -> VerifierResult:
    premise = candidate.premise or ""
    shown = work.shown(candidate, premise)

    def read(reply: FalsePresuppositionVerification) -> VerifierResult:
        stances = reply.premise
        if stances.supports:
            outcome = Outcome.REFUTED
        else:
            outcome = Outcome.PROVEN if stances.contradicts else Outcome.MURKY
        return finding_of(candidate, reply, (evidence_on(premise, outcome, stances, shown),), shown)

    return await work.ask(candidate, shown, FalsePresuppositionVerification, read, premise=premise)


async def _nonsensical(work: Verify, candidate: Candidate) -> VerifierResult:
    shown = work.shown(candidate, limit=enough_for_twin(work.passages_shown))
    passing = CATEGORIES[candidate.category].passing_label

    def read(reply: NonsensicalVerification) -> VerifierResult:
        if reply.repair is not None and reply.label == passing:
            raise ReplyError(f"there is no coherent reading, and yet a repair: {reply.repair!r}")
        return finding_of(candidate, reply, (), shown)

    return await work.ask(candidate, shown, NonsensicalVerification, read)


async def _modality_limited(work: Verify, candidate: Candidate) -> VerifierResult:
    shown = work.shown(candidate, limit=enough_for_twin(work.passages_shown))

    def read(reply: ModalityLimitedVerification) -> VerifierResult:
        return finding_of(candidate, reply, (), shown)

    return await work.ask(
        candidate, shown, ModalityLimitedVerification, read, modalities=work.modalities
    )


async def _safety_concerned(work: Verify, candidate: Candidate) -> VerifierResult:
    shown = work.shown(candidate, limit=enough_for_twin(work.passages_shown))

    def read(reply: SafetyConcernedVerification) -> VerifierResult:
        if reply.label == "harmful" and not reply.twin_is_harmless:
            return VerifierResult(
                label="twin_harmful", rationale=reply.rationale, evidence=(), twin=None
            )
        return finding_of(candidate, reply, (), shown)

    return await work.ask(candidate, shown, SafetyConcernedVerification, read)


async def _out_of_database(work: Verify, candidate: Candidate) -> VerifierResult:
    answer = candidate.outside_answer or ""
    shown = shown_for(candidate, work.retriever, math.ceil(ABSENCE * work.passages_shown))

    def read(reply: OutOfDatabaseVerification) -> VerifierResult:
        stances = reply.answer
        outcome = Outcome.REFUTED if stances.supports else Outcome.PROVEN
        if not stances.supports and stances.contradicts:
            outcome = Outcome.MURKY
        evidence = evidence_on(claim_of(candidate.question, answer), outcome, stances, shown)
        return finding_of(candidate, reply, (evidence,), shown)

    return await work.ask(candidate, shown, OutOfDatabaseVerification, read, answer=answer)


VERIFIERS: Mapping[Category, Callable[[Verify, Candidate], Awaitable[VerifierResult]]] = (
    MappingProxyType(
        {
            Category.UNDERSPECIFIED: _underspecified,
            Category.FALSE_PRESUPPOSITION: _false_presupposition,
            Category.NONSENSICAL: _nonsensical,
            Category.MODALITY_LIMITED: _modality_limited,
            Category.SAFETY_CONCERNED: _safety_concerned,
            Category.OUT_OF_DATABASE: _out_of_database,
        }
    )
)
