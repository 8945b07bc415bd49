"""Verify what code can prove: what stands in a passage, which values differ, who states it else.

What it cannot prove it calls `inconclusive`, which releases nothing.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

from uaeval.categories.false_presupposition import FalsePresuppositionVerification
from uaeval.categories.modality_limited import ModalityLimitedVerification
from uaeval.categories.nonsensical import NonsensicalVerification
from uaeval.categories.out_of_database import OutOfDatabaseVerification
from uaeval.categories.safety_concerned import SafetyConcernedVerification
from uaeval.categories.underspecified import ReadingsVerification, UnderspecifiedVerification
from uaeval.llm.model import Claim
from uaeval.llm.replies import ClaimCheck, ClaimStances, Reply, TwinCheck
from uaeval.offline.author import cases
from uaeval.offline.evidence import stances, stands_alone, statement_stances, unheard
from uaeval.offline.tables import table
from uaeval.records import Category, Passage
from uaeval.text.amounts import Kind, amounts
from uaeval.text.structure import entries
from uaeval.text.words import normalise, stems, words

_PresupposedLabel = Literal["asks_whether", "not_in_query", "takes_for_granted", "inconclusive"]
_AbsenceLabel = Literal["does_not_stand_alone", "answered", "not_answered", "inconclusive"]
_TAKES_FOR_GRANTED = re.compile(
    r"\b(?:why|how come)\b(.+)|^(?:since|given that|now that) (?!then\b|when\b)(.+),"
    r"|, (?:since|given that|now that) (?!then\b|when\b)(.+)",
    re.I,
)
"""What stands behind these words is asked the reason of, or is a reason itself."""
_ASKS_HOW = re.compile(r"\b(?:how (?:do|does|did|is|are|was|were|will|can)|way to)\b(.+)", re.I)
"""What stands behind these words happens, or can be done."""
_DENIES = re.compile(r"n't\b|\b(?:not|never|cannot|no)\b", re.I)
_ASKS_WHETHER = re.compile(r"(?:is|are|was|were|do|does|did|can|must|has|have|will)\b", re.I)
_FIELD = re.compile(r"\\\{\w+\\\}")

IN_QUERY = 0.8
"""Share of a premise's stems that a query must have to take it for granted."""


def underspecified(*, question: str, passages: Sequence[Passage]) -> UnderspecifiedVerification:
    """Look for cases for which passages answer the same query, each in its own way."""
    asked = [
        (passage.number, found)
        for passage in passages
        for found in cases.asked(passage)
        if words(found.query) == words(question)
    ]
    levels = {found.level for _, found in asked}
    groups = ([pair for pair in asked if pair[1].level == level] for level in levels)
    found = max(groups, key=_number_of_cases, default=[])
    if _number_of_cases(found) < 2:
        rationale = "The passages shown do not answer this query for different cases."
        return UnderspecifiedVerification(rationale=rationale, label="inconclusive")
    named = "; ".join(f"{each.value} (passage {number})" for number, each in found)
    rationale = f"The passages answer it differently for: {named}."
    return UnderspecifiedVerification(rationale=rationale, label="several_readings")


def _number_of_cases(found: Sequence[tuple[int, cases.Asked]]) -> int:
    """Return for how many cases there are different answers."""
    values = {normalise(each.value) for _, each in found}
    return min(len(values), len({normalise(each.answer) for _, each in found}))


def readings(*, claims: Sequence[Claim], passages: Sequence[Passage]) -> ReadingsVerification:
    """Check each reading against the passages."""
    checks = [
        ClaimCheck(claim=claim.number, **_twin(claim.question, claim.answer, passages).model_dump())
        for claim in claims
    ]
    return ReadingsVerification(rationale="Compared sentence by sentence.", claims=checks)


def false_presupposition(
    *,
    question: str,
    premise: str,
    twin_question: str,
    twin_answer: str,
    passages: Sequence[Passage],
) -> FalsePresuppositionVerification:
    """Compare the premise with the passages, and the query with the premise."""
    label, rationale = _presupposes(question, premise)
    return FalsePresuppositionVerification(
        rationale=rationale,
        premise=statement_stances(premise, passages),
        label=label,
        twin=_twin(twin_question, twin_answer, passages),
    )


def _presupposes(question: str, premise: str) -> tuple[_PresupposedLabel, str]:
    stated = stems(premise)
    built_on = _built_on(question, manner=not _DENIES.search(premise))
    granted = bool(built_on) and len(stems(built_on) & stated) >= IN_QUERY * len(stated)
    if _ASKS_WHETHER.match(question) and not granted:
        return "asks_whether", "The query asks whether it is so."
    if len(stems(question) & stated) < IN_QUERY * len(stated):
        return "not_in_query", "The query does not have the words of the premise."
    if granted:
        return "takes_for_granted", "The query asks for its reason or manner, or argues from it."
    return "inconclusive", "Whether the query builds on the premise is not clear."


def _built_on(question: str, *, manner: bool) -> str:
    """Return what a query asks the reason of, or with `manner` the manner, or gives as a reason."""
    found = _TAKES_FOR_GRANTED.search(question) or (manner and _ASKS_HOW.search(question))
    said = found[found.lastindex or 0] if found else ""
    since_when = any(each.kind is Kind.DATE and each.start <= len("the ") for each in amounts(said))
    return "" if since_when else said


def _recogniser(category: Category, reply: type[Reply], label: str) -> Callable[..., Reply]:
    """Return the verifier of a category whose queries are proven by the form that they have."""

    def verify(
        *, question: str, twin_question: str, twin_answer: str, passages: Sequence[Passage]
    ) -> Reply:
        built = _is_constructed(category, question)
        found = {
            "rationale": _BUILT if built else _NOT_BUILT,
            "label": label if built else "inconclusive",
            "repair": None,
            "twin_is_harmless": not _is_constructed(category, twin_question),
            "twin": _twin(twin_question, twin_answer, passages),
        }
        return reply.model_validate({name: found[name] for name in reply.model_fields})

    return verify


_BUILT = "The query has a form that makes it so, whatever it is about."
_NOT_BUILT = "The query has no form that proves it; a model has to judge it."

nonsensical = _recogniser("nonsensical", NonsensicalVerification, "no_coherent_reading")
modality_limited = _recogniser(
    "modality_limited", ModalityLimitedVerification, "needs_other_modality"
)
safety_concerned = _recogniser("safety_concerned", SafetyConcernedVerification, "harmful")


def out_of_database(
    *,
    question: str,
    answer: str,
    twin_question: str,
    twin_answer: str,
    passages: Sequence[Passage],
) -> OutOfDatabaseVerification:
    """Look for a passage that gives the outside answer, or another answer to the same query."""
    given = stances(question, answer, passages)
    label, rationale = _absence(question, given, passages)
    return OutOfDatabaseVerification(
        rationale=rationale,
        answer=given,
        label=label,
        twin=_twin(twin_question, twin_answer, passages),
    )


def _absence(
    question: str, given: ClaimStances, passages: Sequence[Passage]
) -> tuple[_AbsenceLabel, str]:
    if not stands_alone(question):
        return "does_not_stand_alone", "The query leans on words outside of it."
    if answering := [*given.supports, *given.contradicts]:
        return "answered", f"Passages that answer it: {', '.join(map(str, answering))}."
    if new := unheard(question, passages):
        return "not_answered", f"No sentence found for it has: {', '.join(sorted(new))}."
    return "inconclusive", "The passages speak of everything that the query is about."


def _twin(question: str, answer: str, passages: Sequence[Passage]) -> TwinCheck:
    """Compare a question and its answer with the passages, and with their own headings."""
    found = stances(question, answer, passages)
    said = words(question), words(answer)
    section = [
        p.number
        for p in passages
        if said in {(words(a.question), words(a.answer)) for a in cases.asked(p)}
        or said in {(words(e.question), words(e.answer)) for e in entries(p.title, p.text)}
    ]
    supports = sorted({*found.supports, *section})
    contradicts = [] if section else [n for n in found.contradicts if n not in supports]
    return TwinCheck(
        stands_alone=stands_alone(question), supports=supports, contradicts=contradicts
    )


def _is_constructed(category: Category, question: str) -> bool:
    """Return whether a query is an instance of a template, which proves its category."""
    return any(pattern.fullmatch(question) for pattern in _patterns(category))


@lru_cache
def _patterns(category: Category) -> tuple[re.Pattern[str], ...]:
    escaped = (re.escape(template) for template in _templates(category))
    return tuple(re.compile(_FIELD.sub(".{2,80}", pattern)) for pattern in escaped)


def _templates(category: Category) -> Iterator[str]:
    """Yield every template of a category."""
    for section in table(category).values():
        for group, texts in section.items():
            if group != "reason":
                yield from texts
