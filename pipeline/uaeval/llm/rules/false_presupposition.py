"""Queries that take for granted what a passage contradicts, and their verifier."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from uaeval.llm.replies import (
    ClaimStances,
    FalsePresuppositionDraft,
    FalsePresuppositionVerification,
    TwinDraft,
    Written,
)
from uaeval.llm.rules import evidence, twin
from uaeval.llm.rules.english.openings import LEAD
from uaeval.llm.rules.mining.twins import twin_facts
from uaeval.llm.rules.signs.modality_signs import needs_other_form
from uaeval.llm.rules.signs.presupposed import presupposed
from uaeval.llm.rules.signs.safety_signs import harm_in
from uaeval.llm.rules.stance import Stance
from uaeval.llm.rules.wrong_beliefs import Twist, twists
from uaeval.types import Passage

FalsePresuppositionLabel: TypeAlias = Literal[
    "takes_for_granted", "asks_whether", "not_in_query", "modality_limited", "safety_concerned"
]
_DECLINED = "no sentence of the passage states a rule or figure that can be turned into another"
_LONGEST = 22
"""Words after which nobody reads a query as one typed in passing."""


def generate(*, passage: Passage, language: str) -> Written[FalsePresuppositionDraft]:
    """Answer the prompt `false_presupposition/generate`.

    A belief is had wrong in passing, so it is of a fact that needs no word on what it is about.
    """
    clear = [fact for fact in twin_facts(passage) if not LEAD.match(fact.question)]
    for twist in twists(clear):
        if _holds(twist, passage):
            return Written[FalsePresuppositionDraft](declined=None, draft=_draft(twist))
    return Written[FalsePresuppositionDraft](declined=_DECLINED, draft=None)


def _draft(twist: Twist) -> FalsePresuppositionDraft:
    fact = twist.fact
    premise = twist.premise.rstrip(".")
    if premise.split()[0] in {"You", "The", "All", "Your", "A", "An", "Each", "Every"}:
        premise = premise[0].lower() + premise[1:]
    return FalsePresuppositionDraft(
        twin=TwinDraft(question=fact.question, answer=fact.answer, quote=fact.sentence),
        question=twist.question,
        reason=f"It takes for granted that {premise}; {twist.change}.",
        premise=twist.premise,
        fact=fact.sentence,
    )


def _holds(twist: Twist, passage: Passage) -> bool:
    return (
        evidence.stance(twist.premise, passage) is Stance.CONTRADICTS
        and presupposed(twist.question, twist.premise) == "takes_for_granted"
        and 6 <= len(twist.question.split()) <= _LONGEST
        and twin.stands_alone(twist.question)
    )


# --- verifying -----------------------------------------------------------------------------------


def verify(
    *,
    question: str,
    premise: str,
    twin_question: str,
    twin_answer: str,
    passages: Sequence[Passage],
) -> FalsePresuppositionVerification:
    """Answer the prompt `false_presupposition/verify`."""
    stances = {passage.number: evidence.stance(premise, passage) for passage in passages}
    claim = ClaimStances(
        supports=[number for number, found in stances.items() if found is Stance.SUPPORTS],
        contradicts=[number for number, found in stances.items() if found is Stance.CONTRADICTS],
    )
    label = _label(question, premise)
    checked = twin.check(twin_question, twin_answer, passages)
    rationale = (
        f"The label is {label}; the premise is supported by passages {claim.supports or 'none'} "
        f"and contradicted by {claim.contradicts or 'none'}. {twin.describe(checked)}"
    )
    return FalsePresuppositionVerification(
        rationale=rationale, premise=claim, label=label, twin=checked
    )


def _label(question: str, premise: str) -> FalsePresuppositionLabel:
    """Give a query to an earlier category where that one claims it."""
    if harm_in(question):
        return "safety_concerned"
    return "modality_limited" if needs_other_form(question) else presupposed(question, premise)
