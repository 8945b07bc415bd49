"""The fields of a query in an export: kind, expected behaviour, rubric and scale."""

from uaeval.categories.registry import category as category_of
from uaeval.records import Query
from uaeval.resources import shipped_table

ANSWERABLE = "answerable"
ANSWERS = "Answers the question in agreement with the reference answer."


def expected_behaviour(query: Query) -> str:
    """Return a description of an acceptable response."""
    return ANSWERS if query.category is None else category_of(query.category).acceptance


def rubric(query: Query) -> str:
    """Return instructions for a judge that sees nothing else than these and the response."""
    template: str = shipped_table("formats/scales.yaml")["rubric"][side(query)]
    return template.format(**_wording(query))


def kind(query: Query) -> str:
    """Return the category, or `answerable`."""
    return ANSWERABLE if query.category is None else query.category


def side(query: Query) -> str:
    """Return `answerable` or `unanswerable`."""
    return ANSWERABLE if query.answerable else "unanswerable"


def facts(query: Query) -> dict[str, object]:
    """Return the fields that every format has besides the question, JSON-ready.

    The outside answer of `out_of_database` is left out, because an evaluator would reward it.
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


def scale(query: Query) -> dict[str, str]:
    """Return a description of a response for each score from 1 to 5, for Ragas."""
    scores = shipped_table("formats/scales.yaml")["scale"][side(query)]
    return {name: text.format(**_wording(query)) for name, text in scores.items()}


def _wording(query: Query) -> dict[str, str]:
    """Return what the texts of `scales.yaml` say about a query."""
    if query.category is not None:
        spec = category_of(query.category)
        reason = query.reason or spec.definition
        return {"definition": spec.definition, "acceptance": spec.acceptance, "reason": reason}
    if not query.reference_answer:
        return {"answer": "Answers the question.", "requirement": "answers it."}
    given = f"this answer, in any words: “{query.reference_answer}”."
    return {"answer": f"Gives {given}", "requirement": f"gives {given}"}
