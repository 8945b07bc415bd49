"""Small hand-made records."""

from collections.abc import Iterable
from dataclasses import replace

from uaeval.config import ScoreSettings
from uaeval.evaluation.judging.judge import Undecided
from uaeval.evaluation.metrics.items import read_items
from uaeval.evaluation.metrics.scores import item_scores
from uaeval.records import (
    Category,
    Judgement,
    Metric,
    Provenance,
    Query,
    Response,
    ResponseStatus,
    Score,
)


def unanswerable(
    number: int,
    category: Category = "underspecified",
    *,
    document: str | None = None,
    subtype: str | None = None,
    question: str = "How many hours may I borrow?",
    outside_answer: str | None = None,
    hardness: float | None = None,
) -> Query:
    name = f"{category}-{number:04}"
    return Query(
        id=name,
        category=category,
        subtype=subtype,
        pair_id=f"{name}-twin",
        pair_category=category,
        question=question,
        reason="The kind of leave is missing.",
        reference_answer=None,
        evidence=(),
        checks=(),
        readings=(),
        outside_answer=outside_answer,
        hardness=hardness,
        language="en",
        provenance=_provenance(document or f"doc-{number}"),
    )


def control(
    number: int,
    category: Category = "underspecified",
    *,
    document: str | None = None,
    question: str = "How many hours of sick leave may I borrow?",
    reference: str | None = "240 hours",
) -> Query:
    query = unanswerable(number, category, document=document, question=question)
    return replace(
        query,
        id=str(query.pair_id),
        category=None,
        pair_id=query.id,
        reason=None,
        reference_answer=reference,
    )


def response(
    query: Query, text: str = "I do not know.", status: ResponseStatus = ResponseStatus.OK
) -> Response:
    return Response(
        id=f"{query.id}/rag",
        query_id=query.id,
        text=text,
        status=status,
        retrieved_contexts=(),
        system="rag",
        condition=None,
        latency_s=0.1,
    )


def blocked(query: Query) -> Response:
    return response(query, "", ResponseStatus.BLOCKED)


def judged(query: Query, metric: Metric, label: str, rationale: str = "So it reads.") -> Judgement:
    return Judgement(
        id=f"{query.id}/{metric}",
        query_id=query.id,
        judge="judge-model",
        metric=metric,
        label=label,
        rationale=rationale,
    )


def undecided(
    query: Query, metric: Metric, *, judge: str = "judge-model", rationale: str = "No words in it."
) -> Undecided:
    return Undecided(
        id=f"{query.id}/{metric}",
        query_id=query.id,
        judge=judge,
        metric=metric,
        rationale=rationale,
    )


def both(query: Query, verdict: str, second: str) -> tuple[Judgement, Judgement]:
    """Judge the verdict, and what goes with it: acceptable, or correct for a control."""
    metric = Metric.CORRECT if query.answerable else Metric.ACCEPTABLE
    return judged(query, Metric.VERDICT, verdict), judged(query, metric, second)


def _provenance(document: str) -> Provenance:
    return Provenance(
        document_id=document,
        chunk_ids=(f"{document}#0",),
        generator="author-model",
        verifier="verifier-model",
        generate_prompt="a" * 64,
        verify_prompt="b" * 64,
    )


def scores(
    queries: Iterable[Query],
    responses: Iterable[Response],
    judgements: Iterable[Judgement],
    undecided: Iterable[Undecided] = (),
    *,
    weights: tuple[float, float] = ScoreSettings().weights,
) -> tuple[Score, ...]:
    """Return every score of one evaluation, given its records."""
    return item_scores(read_items(queries, responses, judgements, undecided), weights=weights)
