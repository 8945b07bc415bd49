"""Verify what code can prove: which answers passages state, which values differ.

Everything else is `inconclusive`, and releases nothing.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from uaeval.categories.false_presupposition import FalsePresuppositionVerification
from uaeval.categories.literal import states
from uaeval.categories.modality_limited import ModalityLimitedVerification
from uaeval.categories.nonsensical import NonsensicalVerification
from uaeval.categories.out_of_database import OutOfDatabaseVerification
from uaeval.categories.safety_concerned import SafetyConcernedVerification
from uaeval.categories.underspecified import ReadingsVerification, UnderspecifiedVerification
from uaeval.llm.model import Claim
from uaeval.llm.replies import ClaimCheck, ClaimStances, Reply, TwinCheck
from uaeval.offline.author import cases
from uaeval.offline.evidence import missing_terms, stances, stands_alone, statement_stances
from uaeval.offline.facts import Fact, mentions, share_subject
from uaeval.offline.phrases import cached
from uaeval.offline.tables import sign, table
from uaeval.records import Category, Passage
from uaeval.text.amounts import Kind, amounts
from uaeval.text.sentences import sentences
from uaeval.text.structure import Entry, entries
from uaeval.text.words import normalise, stems, words

_PresupposedLabel = Literal["asks_whether", "not_in_query", "takes_for_granted", "inconclusive"]
_AbsenceLabel = Literal["does_not_stand_alone", "answered", "not_answered", "inconclusive"]
_FIELD = re.compile(r"\\\{\w+\\\}")
_IN_QUERY = 0.8  # share of a premise's stems in a query that takes it for granted
_ON_TOPIC = 0.35  # share of a question's stems in a sentence about it, with its headings
_CONSTRUCTED = "The query has a form that makes it so, whatever it is about."
_NOT_CONSTRUCTED = "The query has no form that proves it; a model has to judge it."


def underspecified(*, question: str, passages: Sequence[Passage]) -> UnderspecifiedVerification:
    """Look for several cases for which passages answer the query differently."""
    answered = [
        (passage.number, case)
        for passage in passages
        for case in cases.cases(passage)
        if words(case.query) == words(question)
    ]
    levels = {case.level for _, case in answered}
    groups = ([pair for pair in answered if pair[1].level == level] for level in levels)
    largest = max(groups, key=_number_of_cases, default=[])
    if _number_of_cases(largest) < 2:
        rationale = "The passages shown do not answer this query for different cases."
        return UnderspecifiedVerification(rationale=rationale, label="inconclusive", natural=None)
    named = "; ".join(f"{case.value} (passage {number})" for number, case in largest)
    rationale = f"The passages answer it differently for: {named}."
    return UnderspecifiedVerification(rationale=rationale, label="several_readings", natural=None)


def _number_of_cases(answered: Sequence[tuple[int, cases.Case]]) -> int:
    values = {normalise(case.value) for _, case in answered}
    return min(len(values), len({normalise(case.answer) for _, case in answered}))


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
        natural=None,
        twin=_twin(twin_question, twin_answer, passages),
    )


def _presupposes(question: str, premise: str) -> tuple[_PresupposedLabel, str]:
    stated = stems(premise)
    given = presupposed(question, manner=not sign("denies").search(premise))
    granted = given and len(stems(given) & stated) >= _IN_QUERY * len(stated)
    if sign("asks_whether").match(question) and not granted:
        return "asks_whether", "The query asks whether it is so."
    if len(stems(question) & stated) < _IN_QUERY * len(stated):
        return "not_in_query", "The query does not have the words of the premise."
    if granted:
        return "takes_for_granted", "The query asks for its reason or manner, or argues from it."
    return "inconclusive", "Whether the query builds on the premise is not clear."


def presupposed(question: str, *, manner: bool) -> str:
    """Return the statement of which a query asks the reason, or the manner, or argues from."""
    match = sign("reason").search(question) or (manner and sign("manner").search(question))
    statement = match[match.lastindex or 0] if match else ""
    dates = (each for each in amounts(statement) if each.kind is Kind.DATE)
    since_date = any(each.start <= len("the ") for each in dates)
    return "" if since_date else statement


def _by_form(category: Category, reply: type[Reply], label: str) -> Callable[..., Reply]:
    """Return the verifier of a category whose queries are proven by their form."""

    def verify(
        *, question: str, twin_question: str, twin_answer: str, passages: Sequence[Passage]
    ) -> Reply:
        constructed = _is_constructed(category, question)
        fields = {
            "rationale": _CONSTRUCTED if constructed else _NOT_CONSTRUCTED,
            "label": label if constructed else "inconclusive",
            "repair": None,
            "twin_is_harmless": not _is_constructed(category, twin_question),
            "one_subject": share_subject(question, twin_question),
            "natural": None,
            "twin": _twin(twin_question, twin_answer, passages),
        }
        return reply.model_validate({name: fields[name] for name in reply.model_fields})

    return verify


nonsensical = _by_form("nonsensical", NonsensicalVerification, "no_coherent_reading")
modality_limited = _by_form("modality_limited", ModalityLimitedVerification, "needs_other_modality")
safety_concerned = _by_form("safety_concerned", SafetyConcernedVerification, "harmful")


def out_of_database(
    *, question: str, answer: str, twin_question: str, twin_answer: str, passages: Sequence[Passage]
) -> OutOfDatabaseVerification:
    """Look for a passage that gives the outside answer, or another answer to the same query."""
    given = stances(question, answer, passages)
    stating = [each.number for each in passages if _states(each, question, answer)]
    given = ClaimStances(
        supports=sorted({*given.supports, *stating}),
        contradicts=[number for number in given.contradicts if number not in stating],
    )
    label, rationale = _absence(question, given, passages)
    return OutOfDatabaseVerification(
        rationale=rationale,
        answer=given,
        label=label,
        one_subject=share_subject(question, twin_question),
        natural=None,
        twin=_twin(twin_question, twin_answer, passages),
    )


def _states(passage: Passage, question: str, answer: str) -> bool:
    """Return whether a sentence about the question has the answer, in the same or another form."""
    topic = stems(question) - stems(answer)
    headings = stems(f"{passage.title} {passage.heading}")
    return any(
        len(topic & (stems(sentence) | headings)) >= max(1, _ON_TOPIC * len(topic))
        and states(answer, sentence, question)
        for sentence in sentences(passage.text)
    )


def _absence(
    question: str, given: ClaimStances, passages: Sequence[Passage]
) -> tuple[_AbsenceLabel, str]:
    if not stands_alone(question):
        return "does_not_stand_alone", "The query leans on words outside of it."
    if answering := [*given.supports, *given.contradicts]:
        return "answered", f"Passages that answer it: {', '.join(map(str, answering))}."
    if missing := missing_terms(question, passages):
        return "not_answered", f"No sentence found for it has: {', '.join(sorted(missing))}."
    return "inconclusive", "The passages speak of everything that the query is about."


def _twin(question: str, answer: str, passages: Sequence[Passage]) -> TwinCheck:
    """Compare a twin with the sentences, rows and entries of passages."""
    by_sentence = stances(question, answer, passages)
    pair = words(question), words(answer)
    by_structure = [passage.number for passage in passages if pair in _stated_pairs(passage)]
    supports = sorted({*by_sentence.supports, *by_structure})
    denies = [n for n in by_sentence.contradicts if n not in supports and not by_structure]
    return TwinCheck(stands_alone=stands_alone(question), supports=supports, contradicts=denies)


@cached
def _stated_pairs(passage: Passage) -> frozenset[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the words of questions and answers of a passage's cases, entries and mentions."""
    stated: list[cases.Case | Entry | Fact] = [*cases.cases(passage), *mentions(passage)]
    stated += entries(passage.title, passage.text)
    return frozenset((words(each.question), words(each.answer)) for each in stated)


def _is_constructed(category: Category, question: str) -> bool:
    """Return whether a query is an instance of a template, which proves its category."""
    return any(pattern.fullmatch(question) for pattern in _patterns(category))


@lru_cache
def _patterns(category: Category) -> tuple[re.Pattern[str], ...]:
    groups = [group for section in table(category).values() for group in section.items()]
    templates = (text for name, texts in groups if name != "reason" for text in texts)
    return tuple(re.compile(_FIELD.sub(".{2,80}", re.escape(text))) for text in templates)
