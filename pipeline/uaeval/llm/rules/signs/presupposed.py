"""Whether a query takes a premise for granted, asks for it, or does not hold it."""

import re
from typing import Literal, TypeAlias

from uaeval.llm.rules import evidence
from uaeval.llm.rules.english import meaning
from uaeval.llm.rules.english.quantities import quantities
from uaeval.llm.rules.evidence import Force

Presupposed: TypeAlias = Literal["takes_for_granted", "asks_whether", "not_in_query"]

_ASIDE = re.compile(
    r"(?i)(?:^|, |\b)(?:since|given(?: that)?|because|as|now that|seeing that|considering that) "
    r"[^?]*?(?:, (?=(?:who|what|where|when|how|why|which|can|do|does|is|are|should|will|must|could|"
    r"would)\b)|\?|$)"
)
_YES_NO = re.compile(
    r"(?i)^(?:(?:so|and|well),? )?(?:can|could|do|does|did|is(?! there an? (?:way|"
    r"particular|reason|discount))|are|am|was|were|should|must|may|will|would|has|have|isn't|aren't|"
    r"don't|doesn't|can't)\b(?! (?:you|we) (?:tell|explain|show|walk|help))"
)
_WHETHER = re.compile(
    r"(?i)\b(?:know|wonder\w*|check|tell me|sure|ask) (?:if|whether)\b|\bor not\b|"
    r"\b(?:whether|is it true|is it correct|am i right|is it allowed|is it ok|is that (?:right|"
    r"true|correct))\b"
)
_NEGATION = re.compile(
    r"(?i)n't\b|\bnot\b|\bcannot\b|\bnever\b|\bno\b|\bwithout\b|\boptional\b|\bvoluntary\b|"
    r"\bforbidden\b|\bprohibited\b|\bskip|\bban(?:ned)?\b|\bdiscouraged\b|\bexempt|\binstead of\b|"
    r"\bagainst the rules\b|\bstop|\bwaive|\bbar(?:red|s)\b|\brefus|\bunable\b|\bonly\b"
)


_LEAST = 0.45


def presupposed(question: str, premise: str) -> Presupposed:
    """Judge one query by its words: amounts, negation, and what its main clause asks."""
    wanted = _essence(premise)
    shared = len(wanted & meaning.concepts(question)) / len(wanted) if wanted else 0.0
    if shared < _LEAST or not _same_amounts(question, premise):
        return "not_in_query"
    denied = evidence.force(premise) in {Force.FORBIDDEN, Force.FREED}
    if denied and not _NEGATION.search(question):
        return "not_in_query"
    core = _ASIDE.sub(" ", question).strip()
    asked = len(wanted & meaning.concepts(core)) / len(wanted)
    if _WHETHER.search(core) or (_YES_NO.match(core) and asked >= 0.6):
        return "asks_whether"
    return "takes_for_granted"


def _essence(premise: str) -> frozenset[str]:
    """Return what a premise says beyond the words of permission and duty."""
    return meaning.concepts(premise) - {"allow", "permit", "require", "need", "able", "optional"}


def _same_amounts(question: str, premise: str) -> bool:
    said = {(item.value, item.unit) for item in quantities(question)}
    return all((item.value, item.unit) in said for item in quantities(premise))
