"""Retrieved passages graded by a judge, one by one; context relevancy weighs their positions."""

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
    """A score in [0, 1] and why."""

    score: float
    explanation: str


async def judge_passages(
    judge: Model,
    prompt: str,
    contexts: Sequence[Context],
    score: Callable[[Sequence[str]], float],
    **fields: Field,
) -> ExplainedScore:
    """Have each passage labelled, and score the labels in the order of retrieval."""

    def parse(reply: RelevancyJudgement | PassageLabels) -> ExplainedScore:
        name = "grades" if isinstance(reply, RelevancyJudgement) else "labels"
        labels = getattr(reply, name)
        if len(labels) != len(contexts):
            message = f"{len(contexts)} passages were shown, and {len(labels)} {name} given"
            raise ReplyError(message, raw=reply.model_dump_json())
        listed = ", ".join(f"{number}: {label}" for number, label in enumerate(labels, 1))
        return ExplainedScore(score=score(labels), explanation=f"{reply.rationale} ({listed})")

    kind: type[RelevancyJudgement | PassageLabels]
    kind = RelevancyJudgement if prompt == RELEVANCY_PROMPT else PassageLabels
    return await judge.ask(prompt, kind, parse, passages=passages_of(contexts), **fields)


async def judge_relevancy(query: Query, response: Response, judge: Model) -> ExplainedScore:
    """Have the retrieved passages graded; without any the score is 0."""
    contexts, question = response.retrieved_contexts, query.conversation
    if not contexts:
        return ExplainedScore(score=0.0, explanation="No passage was retrieved.")
    return await judge_passages(
        judge, RELEVANCY_PROMPT, contexts, weighted_relevancy, question=question
    )


def position_weights(count: int) -> tuple[float, ...]:
    """Return the weights of `count` passages, best first; they sum to 1.

    Before they are divided by their sum they are .5, .3, .2, and each further one is 2/3 of the
    last.
    """
    raw = list(_FIRST_WEIGHTS[:count])
    while len(raw) < count:
        raw.append(raw[-1] * _LATER)
    total = math.fsum(raw)
    return tuple(weight / total for weight in raw)


def weighted_relevancy(grades: Sequence[str]) -> float:
    """Return the context relevancy of passages graded in the order of retrieval; 0 for none."""
    weighted = zip(position_weights(len(grades)), grades, strict=True)
    return math.fsum(weight * GRADES[grade] for weight, grade in weighted)


def ranked_precision(relevant: Sequence[bool]) -> float:
    """Return the contextual precision of passages in the order of retrieval (as DeepEval has it).

    The mean, over the relevant passages, of the share of relevant ones up to each; 0 if none is.
    """
    up_to = [sum(relevant[:place]) / place for place, here in enumerate(relevant, 1) if here]
    return math.fsum(up_to) / len(up_to) if up_to else 0.0
