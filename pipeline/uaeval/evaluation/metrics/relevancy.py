"""Score retrieved passages by a judge's labels; context relevancy weighs their positions."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from uaeval.errors import ReplyError
from uaeval.evaluation.metrics.attribution import passages_of
from uaeval.llm.model import Model
from uaeval.llm.replies import PassageLabels, RelevancyJudgement
from uaeval.prompts import Field
from uaeval.records import Context, Query, Response

RELEVANCY_PROMPT = "judge/context_relevancy"
GRADES: Final[Mapping[str, float]] = {"relevant": 1.0, "partly": 0.5, "irrelevant": 0.0}

_FIRST_WEIGHTS: Final = (0.5, 0.3, 0.2)
_LATER: Final = 2 / 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedScore:
    """A score in [0, 1] and its explanation."""

    score: float
    explanation: str


async def judge_passages(
    judge: Model,
    prompt: str,
    contexts: Sequence[Context],
    score: Callable[[Sequence[str]], float],
    **fields: Field,
) -> ExplainedScore:
    """Let the judge label each passage, and score the labels in the order of retrieval."""
    kind: type[RelevancyJudgement | PassageLabels]
    kind, name = PassageLabels, "labels"
    if prompt == RELEVANCY_PROMPT:
        kind, name = RelevancyJudgement, "grades"

    def parse(reply: RelevancyJudgement | PassageLabels) -> ExplainedScore:
        labels = getattr(reply, name)
        if len(labels) != len(contexts):
            message = f"{len(contexts)} passages were shown, and {len(labels)} {name} given"
            raise ReplyError(message, raw=reply.model_dump_json())
        listed = ", ".join(f"{number}: {label}" for number, label in enumerate(labels, 1))
        return ExplainedScore(score=score(labels), explanation=f"{reply.rationale} ({listed})")

    return await judge.ask(prompt, kind, parse, passages=passages_of(contexts), **fields)


async def judge_relevancy(query: Query, response: Response, judge: Model) -> ExplainedScore:
    """Return the context relevancy of a response; 0 if no passage was retrieved."""
    contexts, question = response.retrieved_contexts, query.conversation
    if not contexts:
        return ExplainedScore(score=0.0, explanation="No passage was retrieved.")
    return await judge_passages(
        judge, RELEVANCY_PROMPT, contexts, weighted_relevancy, question=question
    )


def position_weights(count: int) -> tuple[float, ...]:
    """Return 0.5, 0.3, 0.2, then 2/3 of the one before, for `count` ranks, scaled to sum to 1."""
    raw = list(_FIRST_WEIGHTS[:count])
    while len(raw) < count:
        raw.append(raw[-1] * _LATER)
    total = math.fsum(raw)
    return tuple(weight / total for weight in raw)


def weighted_relevancy(grades: Sequence[str]) -> float:
    """Return the context relevancy for grades in the order of retrieval; 0 for none."""
    weighted = zip(position_weights(len(grades)), grades, strict=True)
    return math.fsum(weight * GRADES[grade] for weight, grade in weighted)


def ranked_precision(relevant: Sequence[bool]) -> float:
    """Return DeepEval's contextual precision: the mean precision@k over relevant ranks k, or 0."""
    precisions = [
        sum(relevant[:rank]) / rank for rank, is_relevant in enumerate(relevant, 1) if is_relevant
    ]
    return math.fsum(precisions) / len(precisions) if precisions else 0.0
