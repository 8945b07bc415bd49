"""Queries with evidence, and responses with contexts."""

from dataclasses import replace

from tests.evaluation.records import control, response, unanswerable

from uaeval.records import Context, Evidence, Outcome, Query, Reading, Response

TEXTS = {
    "leave.md#1": "Staff may borrow up to 240 hours of sick leave in any one year of service.",
    "leave.md#2": "Annual leave may be borrowed up to 80 hours, with the consent of the head.",
    "fees.md#0": "The use of an image inside a book costs forty pounds for each edition.",
}


def proven(claim: str, *, supports: str = "", contradicts: str = "") -> Evidence:
    return Evidence(
        claim=claim,
        outcome=Outcome.PROVEN,
        supports=tuple(supports.split()),
        contradicts=tuple(contradicts.split()),
    )


def supported_control(number: int = 1) -> Query:
    query = control(number)
    return replace(query, evidence=(proven("240 hours", supports="leave.md#1"),))


def two_readings(number: int = 1) -> Query:
    readings = tuple(
        Reading(question=f"How much {kind} leave?", value=kind, chunk_id=chunk, answer=answer)
        for kind, chunk, answer in (
            ("sick", "leave.md#1", "240 hours"),
            ("annual", "leave.md#2", "80 hours"),
        )
    )
    return replace(unanswerable(number), readings=readings)


def false_premise(number: int = 1) -> Query:
    query = unanswerable(number, "false_presupposition")
    return replace(query, evidence=(proven("It costs £80.", contradicts="fees.md#0"),))


def with_contexts(query: Query, *contexts: Context, text: str = "80 hours.") -> Response:
    return replace(response(query, text), retrieved_contexts=contexts)


def by_id(*names: str) -> tuple[Context, ...]:
    return tuple(Context(id=name, text=TEXTS.get(name, "Something else.")) for name in names)
