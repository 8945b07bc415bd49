"""Context relevancy: retrieved passages graded by a judge, weighted by their position."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from uaeval.errors import ReplyError
from uaeval.evaluation.metrics.attribution import passages_of
from uaeval.llm.model import Model
from uaeval.llm.replies import RelevancyJudgement
from uaeval.types import Query, Response

RELEVANCY_PROMPT = "judge/context_relevancy"
GRADES: Final[Mapping[str, float]] = {"relevant": 1.0, "partly": 0.5, "irrelevant": 0.0}
_FIRST_WEIGHTS: Final = (0.5, 0.3, 0.2)
_LATER: Final = 2 / 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedScore:
    """A score in [0, 1] and why."""

    score: float
    explanation: str


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


def weighted_relevancy(grades: Sequence[float]) -> float:
    """Return the context relevancy of passages graded in the order of retrieval; 0 for none."""
    return math.fsum(
        weight * grade for weight, grade in zip(position_weights(len(grades)), grades, strict=True)
    )


async def judge_relevancy(query: Query, response: Response, judge: Model) -> ExplainedScore:
    """Have the retrieved passages graded; without any the score is 0."""
    passages = passages_of(response.retrieved_contexts)
    if not passages:
        return ExplainedScore(score=0.0, explanation="No passage was retrieved.")

    def parse(reply: RelevancyJudgement) -> ExplainedScore:
        if len(reply.grades) != len(passages):
            message = f"{len(passages)} passages were shown, and {len(reply.grades)} grades given"
            raise ReplyError(message, raw=reply.model_dump_json())
        grades = [GRADES[grade] for grade in reply.grades]
        listed = ", ".join(f"{number}: {grade}" for number, grade in enumerate(reply.grades, 1))
        return ExplainedScore(
            score=weighted_relevancy(grades), explanation=f"{reply.rationale} ({listed})"
        )

    return await judge.ask(
        RELEVANCY_PROMPT, RelevancyJudgement, parse, question=query.question, passages=passages
    )
