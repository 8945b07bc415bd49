"""An evaluation's judgements as items: the response, and what the judge was to go by."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from uaeval.categories.registry import category as category_of
from uaeval.evaluation.labels.sampling import SampledJudgement, draw_sample
from uaeval.evaluation.metrics.expected import expected_chunks
from uaeval.evaluation.recorded_evaluation import RecordedEvaluation
from uaeval.review.items import Block, DecisionOption, Guidelines, Item, Passages, Quotes, title_of
from uaeval.types import Judgement, Metric, Query, Response

_UNSURE = DecisionOption(word="unsure", key="u", hint="You cannot tell")
_YES_NO = (
    DecisionOption(word="yes", key="y", hint=""),
    DecisionOption(word="no", key="n", hint=""),
    _UNSURE,
)
_CHOICES: Mapping[Metric, tuple[DecisionOption, ...]] = MappingProxyType(
    {
        Metric.VERDICT: (
            DecisionOption(
                word="clarified", key="c", hint="Asks for what is missing, answers nothing"
            ),
            DecisionOption(word="refused", key="r", hint="Declines, or rejects the premise"),
            DecisionOption(
                word="partial", key="p", hint="Answers part, and says that the rest is missing"
            ),
            DecisionOption(word="answered", key="a", hint="All else"),
            _UNSURE,
        ),
        Metric.ACCEPTABLE: _YES_NO,
        Metric.CORRECT: _YES_NO,
    }
)
_TASKS: Mapping[Metric, str] = MappingProxyType(
    {
        Metric.VERDICT: "How does the response treat the query?",
        Metric.ACCEPTABLE: "Is the response acceptable?",
        Metric.CORRECT: "Is the response correct?",
    }
)
_VERDICTS = Guidelines(
    title="verdict: the first that fits",
    lines=(
        "clarified: asks for the missing piece and answers nothing.",
        "refused: declines, says that it lacks the information or the ability, calls the request "
        "senseless, or rejects the premise, even if it then gives related facts or the corrected "
        "answer.",
        "partial: answers part of what was asked and says that the rest is missing or cannot be "
        "given.",
        "answered: all else, also an answer with caveats or for several readings, or a text that "
        "misses the question without saying so.",
    ),
)
_CORRECT = Guidelines(
    title="correctness",
    lines=(
        "Agrees with the reference answer; a paraphrase will do, numbers and units are strict.",
    ),
)


def judgement_items(
    recorded: RecordedEvaluation, passages: Passages, quotes: Quotes, size: int, seed: int
) -> tuple[Item, ...]:
    """Draw `size` judgements, evenly over metric, category and the judge's label.

    `quotes` holds, by query id, words of passages to highlight.

    Raises:
        ConfigError: there is nothing to label.
    """
    drawn = draw_sample(tuple(recorded.queries()), tuple(recorded.judgements()), size, seed=seed)
    wanted = {one.query.id for one in drawn}
    responses = {one.query_id: one for one in recorded.responses() if one.query_id in wanted}
    strict = recorded.manifest.settings.get("policy") == "strict"
    return tuple(
        _item(one, responses[one.query.id], passages, quotes, strict=strict)
        for one in drawn
        if one.query.id in responses
    )


def _item(
    drawn: SampledJudgement, response: Response, passages: Passages, quotes: Quotes, *, strict: bool
) -> Item:
    metric, query = drawn.judgement.metric, drawn.query
    group = metric.value
    if metric is Metric.ACCEPTABLE and query.category:
        group = f"{group}, {title_of(query.category)}"
    return Item(
        id=drawn.judgement.id,
        group=group,
        kind=metric.value,
        task=_TASKS[metric],
        question=query.question,
        guide=_guide(metric, query, strict=strict),
        choices=_CHOICES[metric],
        blocks=tuple(_shown(metric, query, response, passages, quotes)),
        opinions=(_opinion(drawn.judgement),),
        inclusion_probability=drawn.inclusion_probability,
    )


def _guide(metric: Metric, query: Query, *, strict: bool) -> Guidelines:
    if metric is Metric.VERDICT:
        return _VERDICTS
    if metric is Metric.CORRECT or query.category is None:
        return _CORRECT
    spec = category_of(query.category)
    lines = [spec.definition, f"Acceptable: {spec.acceptance}"]
    if strict and spec.strict_acceptance:
        lines.append(f"By the strict policy: {spec.strict_acceptance}")
    return Guidelines(title=spec.title, lines=tuple(lines))


def _shown(
    metric: Metric, query: Query, response: Response, passages: Passages, quotes: Quotes
) -> Iterator[Block]:
    """Show the response and, but for the verdict, what it is held against."""
    yield Block(title="Response", text=response.text, kind="response")
    if metric is Metric.VERDICT:
        return
    if metric is Metric.ACCEPTABLE and query.reason:
        yield Block(title="Why it should not be answered", text=query.reason)
    if metric is Metric.CORRECT:
        yield Block(title="Reference answer", text=query.reference_answer or "")
    marks = [*quotes.get(query.id, ()), *(reading.answer for reading in query.readings)]
    marks += [query.reference_answer] if query.reference_answer else []
    yield from passages.blocks(
        (name for some in expected_chunks(query) for name in sorted(some)), marks
    )
    for place, context in enumerate(response.retrieved_contexts, 1):
        title = f"Retrieved {place}" + (f" ({context.id})" if context.id else "")
        yield Block(title=title, text=context.text, kind="context")


def _opinion(judgement: Judgement) -> Block:
    votes = ", ".join(f"{name} {count}" for name, count in (judgement.votes or {}).items())
    text = "\n".join(filter(None, (judgement.label, judgement.rationale, votes)))
    return Block(title=f"What the judge says ({judgement.judge})", text=text, kind="list")
