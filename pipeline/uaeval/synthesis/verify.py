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
    one_subject: bool = True
    """Whether query and twin are about one thing."""
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
            one_subject=result.one_subject,
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
