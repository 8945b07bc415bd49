"""An evaluation's judgements as items: the response, and what the judge was to go by."""

from collections.abc import Iterator

from uaeval.categories.registry import category as category_of
from uaeval.evaluation.labels.sampling import SampledJudgement, draw_sample
from uaeval.evaluation.metrics.attribution import expected_chunks
from uaeval.evaluation.recorded_evaluation import RecordedEvaluation
from uaeval.review.items import INSTRUCTIONS, Block, Guidelines, Item, Passages, title_of
from uaeval.types import Judgement, Metric, Query, Response


def judgement_items(
    recorded: RecordedEvaluation, passages: Passages, size: int, seed: int
) -> tuple[Item, ...]:
    """Draw `size` judgements, evenly over metric, category and the judge's label.

    Raises:
        ConfigError: there is nothing to label.
    """
    drawn = draw_sample(tuple(recorded.queries()), tuple(recorded.judgements()), size, seed=seed)
    wanted = {sampled.query.id for sampled in drawn}
    responses = {
        response.query_id: response
        for response in recorded.responses()
        if response.query_id in wanted
    }
    strict = recorded.manifest.settings.get("policy") == "strict"
    return tuple(
        _item(sampled, responses[sampled.query.id], passages, strict=strict)
        for sampled in drawn
        if sampled.query.id in responses
    )


def _item(drawn: SampledJudgement, response: Response, passages: Passages, *, strict: bool) -> Item:
    metric, query = drawn.judgement.metric, drawn.query
    group = metric.value
    if metric is Metric.ACCEPTABLE and query.category:
        group = f"{group}, {title_of(query.category)}"
    instructions = INSTRUCTIONS[metric.value]
    return Item(
        id=drawn.judgement.id,
        group=group,
        kind=metric.value,
        task=instructions.task,
        question=query.question,
        guide=instructions.guide or _guide(query, strict=strict),
        choices=instructions.choices,
        blocks=tuple(_shown(metric, query, response, passages)),
        opinions=(_opinion(drawn.judgement),),
        inclusion_probability=drawn.inclusion_probability,
    )


def _guide(query: Query, *, strict: bool) -> Guidelines:
    if query.category is None:
        return Guidelines(title="answerable", lines=())
    spec = category_of(query.category)
    lines = [spec.definition, f"Acceptable: {spec.acceptance}"]
    if strict and spec.strict_acceptance:
        lines.append(f"By the strict policy: {spec.strict_acceptance}")
    return Guidelines(title=spec.title, lines=tuple(lines))


def _shown(metric: Metric, query: Query, response: Response, passages: Passages) -> Iterator[Block]:
    """Show the response and, but for the verdict, what it is held against."""
    yield Block(title="Response", text=response.text, kind="response")
    if metric is Metric.VERDICT:
        return
    if metric is Metric.ACCEPTABLE and query.reason:
        yield Block(title="Why it should not be answered", text=query.reason)
    if metric is Metric.CORRECT:
        yield Block(title="Reference answer", text=query.reference_answer or "")
    expected = (name for chunks in expected_chunks(query) for name in sorted(chunks))
    yield from passages.blocks(query, expected, query.reference_answer or "")
    for place, context in enumerate(response.retrieved_contexts, 1):
        title = f"Retrieved {place}" + (f" ({context.id})" if context.id else "")
        yield Block(title=title, text=context.text, kind="context")


def _opinion(judgement: Judgement) -> Block:
    votes = ", ".join(f"{name} {count}" for name, count in (judgement.votes or {}).items())
    text = "\n".join(filter(None, (judgement.label, judgement.rationale, votes)))
    return Block(title=f"What the judge says ({judgement.judge})", text=text, kind="list")
