"""False presupposition: the query has a premise that the knowledge base contradicts."""

from dataclasses import replace
from typing import Literal

from uaeval.categories.base import CategorySpec, Expected, check_of, passage_only
from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.verification import Unsuitable, VerifierResult, evidence_on, result_of
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.replies import ClaimStances, Draft, Naturalness, Need, Reasoned, TwinCheck
from uaeval.records import Candidate, Check, Outcome, Query
from uaeval.text.words import stands_in


class FalsePresuppositionDraft(Draft, Need):
    """A query with a premise that the passage contradicts."""

    premise: str
    fact: str


class FalsePresuppositionVerification(Reasoned):
    """Whether the query takes the premise for granted, and what each passage says about it."""

    premise: ClaimStances
    label: Literal["takes_for_granted", "asks_whether", "not_in_query", "nonsensical", Unsuitable]
    natural: Naturalness
    twin: TwinCheck


def _fact(candidate: Candidate, retriever: Retriever) -> Check:
    chunk_id = candidate.source_chunk_id
    problem = None
    if not candidate.premise:
        problem = "no premise was given"
    elif not stands_in(candidate.fact or "", retriever.get(chunk_id).text):
        problem = f"the contradicting fact does not stand in {chunk_id}"
    return check_of("fact", problem, f"the contradicting fact stands in {chunk_id}")


def _read(
    candidate: Candidate, reply: FalsePresuppositionVerification, shown: NumberedPassages
) -> VerifierResult:
    stances = reply.premise
    outcome = Outcome.PROVEN if stances.contradicts else Outcome.INCONCLUSIVE
    if stances.supports:
        outcome = Outcome.REFUTED
    evidence = evidence_on(candidate.premise or "", outcome, stances, shown)
    return result_of(candidate, reply, shown, evidence)


def _expected(query: Query) -> Expected:
    proven = (claim for claim in query.evidence if claim.outcome is Outcome.PROVEN)
    return tuple(frozenset(claim.contradicts) for claim in proven)


CATEGORY = CategorySpec(
    name="false_presupposition",
    voiced=True,
    definition="Takes for granted a premise that the knowledge base contradicts.",
    acceptance="Declines, or names or corrects the premise.",
    difficulty="easy",
    draft=FalsePresuppositionDraft,
    choices=5,
    author_fields=passage_only,
    finish=lambda candidate, draft, _shown, _assignment: replace(
        candidate, premise=draft.premise, fact=draft.fact
    ),
    known=lambda query: query.evidence[0].claim if query.evidence else None,
    checks=(_fact,),
    verification=FalsePresuppositionVerification,
    passing_label="takes_for_granted",
    shown_to_verifier=lambda context, candidate: context.shown(candidate, candidate.premise or ""),
    verifier_fields=lambda _context, candidate: {"premise": candidate.premise or ""},
    read_verification=_read,
    expected=_expected,
    uaeval4rag_name="false_presuppositions",
)
