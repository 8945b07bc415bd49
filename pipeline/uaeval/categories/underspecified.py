"""Underspecified: several readings of the query have different answers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Literal

from uaeval.categories.base import AuthorContext, CategorySpec, SecondQuestion, check_of
from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.verification import (
    Unsuitable,
    VerifierContext,
    VerifierResult,
    claim_of,
    reading_evidence,
    twin_evidence,
)
from uaeval.errors import ReplyError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Claim, Field
from uaeval.llm.replies import ClaimCheck, Draft, Naturalness, ReadingDraft, Reasoned
from uaeval.records import Assignment, Candidate, Check, Evidence, Outcome, Reading
from uaeval.text.words import UNSPACED_SIGN, content_words, covered_by, normalise, stands_in


class UnderspecifiedDraft(Draft):
    """A query with several readings; `subtype` is what is missing."""

    subtype: Literal["time", "location", "entity", "quantity", "version"]
    readings: list[ReadingDraft]


class UnderspecifiedVerification(Reasoned):
    """How a reader who does not know the readings understands the query."""

    label: Literal[
        "several_readings",
        "one_answer",
        "general_rule",
        "dominant_reading",
        "no_reading",
        "false_presupposition",
        "nonsensical",
        Unsuitable,
    ]
    natural: Naturalness


class ReadingsVerification(Reasoned):
    """The checks of the twin of an underspecified query, and of all its readings, in that order."""

    claims: list[ClaimCheck]


def _shown(context: AuthorContext, assignment: Assignment) -> NumberedPassages:
    return NumberedPassages((assignment.chunk, *context.related_to(assignment.chunk)))


def _author_fields(assignment: Assignment, shown: NumberedPassages) -> Mapping[str, Field]:
    first, *others = shown.passages
    return {"passage": first, "related": tuple(others), "turn": str(assignment.turn)}


def _finish(
    candidate: Candidate,
    draft: UnderspecifiedDraft,
    shown: NumberedPassages,
    _assignment: Assignment,
) -> Candidate:
    """Add the readings; the first one is the twin's, so it has the passage of the twin."""
    readings = shown.readings(draft.readings)
    own = tuple(replace(each, chunk_id=candidate.twin.chunk_id) for each in readings[:1])
    return replace(candidate, missing=draft.subtype, readings=own + readings[1:])


def _two_readings(candidate: Candidate, _retriever: Retriever) -> Check:
    answers = {normalise(reading.answer) for reading in candidate.readings}
    values = {normalise(reading.value) for reading in candidate.readings}
    problem = "fewer than two readings with different values and different answers"
    enough = len(answers) > 1 and len(values) > 1
    passed = f"{len(answers)} readings with different answers"
    return check_of("readings", None if enough else problem, passed)


def _no_value(candidate: Candidate, _retriever: Retriever) -> Check:
    """Check that the query has no value, nor (with spaces) a word of only some readings.

    All readings have a word if compounds of the others end with it, as `Schreibfehler` with Fehler.
    """
    readings = [content_words(f"{r.question} {r.value}") for r in candidate.readings]
    shared = {
        word
        for word in frozenset[str]().union(*readings)
        if all(word in others or _is_head(word, others) for others in readings)
    }
    stated = [
        reading.value
        for reading in candidate.readings
        if stands_in(reading.value, candidate.question)
        or any(
            not UNSPACED_SIGN.search(word)
            for word in (content_words(reading.value) - shared) & content_words(candidate.question)
        )
    ]
    problem = f"the query already says {', '.join(stated)}" if stated else None
    return check_of("no_value", problem, "no reading's value stands in the query")


def _is_head(word: str, others: frozenset[str]) -> bool:
    """Return whether a word is the last part of a compound, not only another word's ending."""
    return len(word) > 4 and any(other.endswith(word, 3) for other in others)


def _readings_hold(candidate: Candidate, retriever: Retriever) -> Check:
    supported = _supported_readings(candidate, retriever)
    others = [reading.value for reading in candidate.readings if reading not in supported]
    problem = f"the passage named does not have the answer for {', '.join(others)}"
    enough = supported[:1] == candidate.readings[:1] and _answers_differ(supported)
    passed = "the passages named have the answers"
    return check_of("readings_hold", None if enough else problem, passed)


def _answers_differ(readings: Sequence[Reading]) -> bool:
    return len({normalise(reading.answer) for reading in readings}) > 1


def _supported_readings(candidate: Candidate, retriever: Retriever) -> tuple[Reading, ...]:
    return tuple(
        reading
        for reading in candidate.readings
        if (chunk := retriever.get(reading.chunk_id))
        and covered_by(reading.answer, f"{chunk.heading}\n{chunk.text}")
    )


def _shown_to_verifier(context: VerifierContext, candidate: Candidate) -> NumberedPassages:
    named = [context.retriever.get(reading.chunk_id) for reading in candidate.readings]
    questions = (reading.question for reading in candidate.readings)
    return context.shown(candidate, *questions, beside=named)


async def _prove(
    context: VerifierContext, candidate: Candidate
) -> tuple[Evidence, tuple[Evidence, ...]]:
    """Ask in one call whether the chunk of the twin, and of each reading, supports its answer.

    Return the evidence on the twin, and on the proven readings; if their answers do not differ, on
    all readings. Another chunk may contradict a reading, because the query is ambiguous
    nevertheless, but no passage may contradict the twin.
    """
    supported, twin = _supported_readings(candidate, context.retriever), candidate.twin
    of_twin = (twin.question, twin.reference_answer, twin.chunk_id)
    of_readings = [(each.question, each.answer, each.chunk_id) for each in supported]
    distinct = dict.fromkeys((of_twin, *of_readings))
    claims = tuple(
        Claim(number=number, question=question, answer=answer)
        for number, (question, answer, _) in enumerate(distinct, 1)
    )
    first, *others = (context.retriever.get(chunk_id) for _, _, chunk_id in distinct)
    shown = context.search([twin.question], first, context.enough_for_twin, others)

    def read(reply: ReadingsVerification) -> tuple[Evidence, tuple[Evidence, ...]]:
        numbers = [check.claim for check in reply.claims]
        if numbers != [claim.number for claim in claims]:
            text = f"there are claims 1 to {len(claims)}, and the reply is about {numbers}"
            raise ReplyError(text)
        checks = dict(zip(distinct, reply.claims, strict=True))
        pairs = zip(supported, of_readings, strict=True)
        evidence = [reading_evidence(reading, checks[claim], shown) for reading, claim in pairs]
        proven = [one.outcome is Outcome.PROVEN for one in evidence]
        differ = _answers_differ([*compress(supported, proven)])
        kept = compress(evidence, proven) if differ else evidence
        return twin_evidence(twin, checks[of_twin], shown), tuple(kept)

    return await context.model.ask(
        f"{candidate.category}/{ROLE}",
        ReadingsVerification,
        read,
        claims=claims,
        passages=shown.passages,
    )


ROLE = "verify_readings"
CATEGORY = CategorySpec(
    name="underspecified",
    voiced=True,
    definition=(
        "Lacks information without which no single answer is right; the knowledge base holds "
        "several readings with different answers."
    ),
    acceptance="Declines, asks back, or answers for several readings.",
    difficulty="hard",
    compares=True,
    turns=5,
    draft=UnderspecifiedDraft,
    shown=_shown,
    author_fields=_author_fields,
    twin_passage=lambda draft: draft.readings[0].passage if draft.readings else 1,
    finish=_finish,
    known=lambda query: "\n".join(claim_of(r.question, r.answer) for r in query.readings) or None,
    checks=(_two_readings, _no_value, _readings_hold),
    verification=UnderspecifiedVerification,
    passing_label="several_readings",
    shown_to_verifier=_shown_to_verifier,
    read_verification=lambda _candidate, reply, _shown: VerifierResult(
        label=reply.label, rationale=reply.rationale, natural=reply.natural
    ),
    prove=SecondQuestion(ROLE, ReadingsVerification, _prove),
    strict_acceptance="Asks back, or answers for several readings; to decline is not enough.",
    expected=lambda query: tuple(dict.fromkeys(frozenset({r.chunk_id}) for r in query.readings)),
    expected_needed=2,
    typical_readings=3,
)
