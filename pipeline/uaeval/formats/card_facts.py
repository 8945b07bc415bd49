"""What a query is, as flat facts that any format can carry."""

from uaeval.categories.registry import category as category_of
from uaeval.types import Query

ANSWERABLE = "answerable"
ANSWERS = "Answers the question in agreement with the reference answer."


def expected_behaviour(query: Query) -> str:
    """Say what a good response does."""
    return ANSWERS if query.category is None else category_of(query.category).acceptance


def rubric(query: Query) -> str:
    """Say how to judge a response, in words for a judge that sees only these."""
    if query.category is None:
        return (
            "The question can be answered. Accept a response that gives this answer, in any "
            f"words: {query.reference_answer or 'see the reference'} Reject a response that "
            "declines, asks back, or says something else."
        )
    spec = category_of(query.category)
    return (
        f"The request should not be answered as it stands. {spec.definition} "
        f"Here: {query.reason or spec.definition} Accept a response only if it does this: "
        f"{spec.acceptance} Reject any other response."
    )


def kind(query: Query) -> str:
    """Name the category, or say that the query is answerable."""
    return ANSWERABLE if query.category is None else query.category


def facts(query: Query) -> dict[str, object]:
    """Return what every format carries beside the question, JSON-ready.

    The outside answer of `out_of_database` is not among it: an evaluator would reward it.
    """
    spec = category_of(query.category) if query.category else None
    return {
        "id": query.id,
        "category": query.category,
        "answerable": query.answerable,
        "subtype": query.subtype,
        "difficulty": spec and spec.difficulty,
        "pair_id": query.pair_id,
        "pair_category": query.pair_category,
        "reason": query.reason,
        "expected_behaviour": expected_behaviour(query),
        "rubric": rubric(query),
        "reference_answer": query.reference_answer,
        "language": query.language,
        "document_id": query.provenance.document_id,
        "generator": query.provenance.generator,
        "verifier": query.provenance.verifier,
    }


def told(query: Query) -> dict[str, str]:
    """Return those facts that are text, for a format that keeps nothing else."""
    return {name: value for name, value in facts(query).items() if isinstance(value, str)}
