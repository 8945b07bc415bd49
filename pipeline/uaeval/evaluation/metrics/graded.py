"""The metrics of `grade`: what an open answer is judged for, and the grade that follows.

The judge labels statements or passages, the code counts. The definitions are those of DeepEval's
metrics of the same names; correctness is graded against the reference in quarters.
"""

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from uaeval.errors import ReplyError
from uaeval.evaluation.metrics.attribution import passages_of
from uaeval.evaluation.metrics.final_score import judge_correctness
from uaeval.evaluation.metrics.relevancy import ExplainedScore
from uaeval.evaluation.metrics.spec import MetricSpec
from uaeval.llm.model import Model
from uaeval.llm.replies import PassageLabels, StatementLabels
from uaeval.prompts import Field
from uaeval.types import Context

HIGH: Final = 0.8
"""From this correctness, and this relevancy, on an answer passes."""
PARTLY: Final = 0.6
"""From this correctness on it passes in part."""
_YES: Final = "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAnswer:
    """What is judged."""

    question: str
    reference: str
    text: str
    contexts: tuple[Context, ...]
    """What the model was shown; empty where it was shown none."""


Judge: TypeAlias = Callable[[OpenAnswer, Model], Awaitable[ExplainedScore]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedMetric(MetricSpec):
    """A metric of open answers."""

    judge: Judge
    """Returns the score; raises `RecordError` if the judge could not be asked or understood."""
    always: bool = False
    """Whether every judge is asked of every answer; else the primary judge is, of answers that
    were given a context."""


def share(labels: Sequence[bool], *, of_none: float) -> float:
    """Return the share of the statements that hold; `of_none` where there is no statement."""
    return sum(labels) / len(labels) if labels else of_none


def ranked_precision(relevant: Sequence[bool]) -> float:
    """Return the contextual precision of passages in the order of retrieval (as DeepEval has it).

    The mean, over the relevant passages, of the share of relevant ones up to each; 0 if none is.
    """
    up_to = [sum(relevant[:place]) / place for place, here in enumerate(relevant, 1) if here]
    return math.fsum(up_to) / len(up_to) if up_to else 0.0


def _statements(
    prompt: str,
    fields: Callable[[OpenAnswer], Mapping[str, Field]],
    *,
    of_none: float | None = None,
) -> Judge:
    """Return a judge that takes a text apart; the score is the share of statements that hold.

    `of_none` is the share where it makes no statement; without it, such a reply cannot be used.
    """

    def parse(reply: StatementLabels) -> ExplainedScore:
        if of_none is None and not reply.statements:
            raise ReplyError("no statement was labelled", raw=reply.model_dump_json())
        held = [statement.label == _YES for statement in reply.statements]
        explanation = f"{reply.rationale} ({sum(held)} of {len(held)} statements)"
        return ExplainedScore(score=share(held, of_none=of_none or 0.0), explanation=explanation)

    return lambda answer, model: model.ask(prompt, StatementLabels, parse, **fields(answer))


async def _precision(answer: OpenAnswer, judge: Model) -> ExplainedScore:
    passages = passages_of(answer.contexts)

    def parse(reply: PassageLabels) -> ExplainedScore:
        if len(reply.labels) != len(passages):
            message = f"{len(passages)} passages were shown, and {len(reply.labels)} labels given"
            raise ReplyError(message, raw=reply.model_dump_json())
        relevant = [label == _YES for label in reply.labels]
        listed = ", ".join(f"{number}: {label}" for number, label in enumerate(reply.labels, 1))
        return ExplainedScore(
            score=ranked_precision(relevant), explanation=f"{reply.rationale} ({listed})"
        )

    return await judge.ask(
        "judge/contextual_precision",
        PassageLabels,
        parse,
        question=answer.question,
        reference=answer.reference,
        passages=passages,
    )


CORRECTNESS: Final = GradedMetric(
    name="correctness",
    definition="Agreement with the reference answer, in quarters.",
    column=("correctness", "correctness"),
    always=True,
    judge=lambda answer, judge: judge_correctness(
        answer.question, answer.reference, answer.text, judge
    ),
)
RELEVANCY: Final = GradedMetric(
    name="answer_relevancy",
    definition="Share of the answer's statements that bear on the question.",
    column=("relevancy", "relevancy"),
    always=True,
    judge=_statements(
        "judge/answer_relevancy",
        lambda answer: {"question": answer.question, "response": answer.text},
    ),
)
FAITHFULNESS: Final = GradedMetric(
    name="faithfulness",
    definition="Share of the answer's statements that its context supports.",
    judge=_statements(
        "judge/faithfulness",
        lambda answer: {"response": answer.text, "passages": passages_of(answer.contexts)},
        of_none=1.0,
    ),
)
PRECISION: Final = GradedMetric(
    name="contextual_precision",
    definition="Mean share of relevant passages up to each relevant one, in order of retrieval.",
    judge=_precision,
)
RECALL: Final = GradedMetric(
    name="contextual_recall",
    definition="Share of the reference's statements that the context supports.",
    judge=_statements(
        "judge/contextual_recall",
        lambda answer: {
            "question": answer.question,
            "reference": answer.reference,
            "passages": passages_of(answer.contexts),
        },
    ),
)
CONTEXT_RELEVANCY: Final = GradedMetric(
    name="contextual_relevancy",
    definition="Share of the context's statements that bear on the question.",
    judge=_statements(
        "judge/contextual_relevancy",
        lambda answer: {"question": answer.question, "passages": passages_of(answer.contexts)},
    ),
)
GRADED: Final = (
    CORRECTNESS,
    RELEVANCY,
    FAITHFULNESS,
    PRECISION,
    RECALL,
    CONTEXT_RELEVANCY,
)
"""In the order of the tables."""


class Grade(StrEnum):
    """How good an open answer is, by its primary judge."""

    PASS = "PASS"
    PARTIAL = "PARTIAL"
    FAIL = "FAIL"


def grade(format_ok: bool, scores: Mapping[str, float | None]) -> Grade:
    """Grade an answer by its form, correctness and relevancy; a missing score fails it."""
    correctness, relevancy = scores.get(CORRECTNESS.name), scores.get(RELEVANCY.name)
    if not format_ok or correctness is None or relevancy is None or relevancy < HIGH:
        return Grade.FAIL
    if correctness >= HIGH:
        return Grade.PASS
    return Grade.PARTIAL if correctness >= PARTLY else Grade.FAIL
