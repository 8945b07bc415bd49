"""False presupposition: the query has a premise that the knowledge base contradicts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from uaeval.categories.base import AuthorContext, CategorySpec, Expected, check_of
from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.verification import Unsuitable, VerifierResult, evidence_on, result_of
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Field
from uaeval.llm.replies import ClaimStances, Draft, Reply, TwinCheck
from uaeval.records import Assignment, Candidate, Check, Outcome, Query
from uaeval.text.words import stands_in


class FalsePresuppositionDraft(Draft):
    """A query with a premise that a passage contradicts; `passage` is the number of the passage."""

    passage: int
    premise: str
    fact: str


class FalsePresuppositionVerification(Reply):
    """Whether the query takes the premise for granted, and what each passage says about it."""

    rationale: str
    premise: ClaimStances
    label: Literal["takes_for_granted", "asks_whether", "not_in_query", "nonsensical", Unsuitable]
    twin: TwinCheck


def _shown(context: AuthorContext, assignment: Assignment) -> NumberedPassages:
    chunk, number = assignment.chunk, context.choice
    others = context.related_to(chunk)[:number] if number else ()
    return NumberedPassages((chunk, *others))


def _author_fields(_assignment: Assignment, shown: NumberedPassages) -> Mapping[str, Field]:
    first, *others = shown.passages
    return {"passage": first, "related": tuple(others)}


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
    shown=_shown,
    author_fields=_author_fields,
    twin_passage=lambda draft: draft.passage,
    finish=lambda candidate, draft, _shown, _assignment: replace(
        candidate,
        source_chunk_id=candidate.twin.chunk_id,
        premise=draft.premise,
        fact=draft.fact,
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
