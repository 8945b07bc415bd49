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
from uaeval.evaluation.metrics.relevancy import ExplainedScore, judge_passages
from uaeval.evaluation.metrics.spec import MetricSpec
from uaeval.llm.model import Model
from uaeval.llm.replies import StatementLabels
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


def _of_statements(
    name: str,
    definition: str,
    *shown: str,
    of_none: float | None = None,
    column: tuple[str, str] | None = None,
) -> GradedMetric:
    """Return a metric that takes a text apart; the score is the share of statements that hold.

    `shown` names the fields of the prompt. `of_none` is the share where the text makes no
    statement; without it, such a reply cannot be used. A metric with a column is always asked.
    """

    def parse(reply: StatementLabels) -> ExplainedScore:
        if of_none is None and not reply.statements:
            raise ReplyError("no statement was labelled", raw=reply.model_dump_json())
        held = [statement.label == _YES for statement in reply.statements]
        explanation = f"{reply.rationale} ({sum(held)} of {len(held)} statements)"
        return ExplainedScore(score=share(held, of_none=of_none or 0.0), explanation=explanation)

    def judge(answer: OpenAnswer, model: Model) -> Awaitable[ExplainedScore]:
        fields: dict[str, Field] = {
            "question": answer.question,
            "reference": answer.reference,
            "response": answer.text,
            "passages": passages_of(answer.contexts),
        }
        given = {field: fields[field] for field in shown}
        return model.ask(f"judge/{name}", StatementLabels, parse, **given)

    return GradedMetric(
        name=name, definition=definition, column=column, always=column is not None, judge=judge
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
RELEVANCY: Final = _of_statements(
    "answer_relevancy",
    "Share of the answer's statements that bear on the question.",
    "question",
    "response",
    column=("relevancy", "relevancy"),
)
FAITHFULNESS: Final = _of_statements(
    "faithfulness",
    "Share of the answer's statements that its context supports.",
    "response",
    "passages",
    of_none=1.0,
)
PRECISION: Final = GradedMetric(
    name="contextual_precision",
    definition="Mean share of relevant passages up to each relevant one, in order of retrieval.",
    judge=lambda answer, judge: judge_passages(
        judge,
        "judge/contextual_precision",
        answer.contexts,
        lambda labels: ranked_precision([label == _YES for label in labels]),
        question=answer.question,
        reference=answer.reference,
    ),
)
RECALL: Final = _of_statements(
    "contextual_recall",
    "Share of the reference's statements that the context supports.",
    "question",
    "reference",
    "passages",
)
CONTEXT_RELEVANCY: Final = _of_statements(
    "contextual_relevancy",
    "Share of the context's statements that bear on the question.",
    "question",
    "passages",
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
