"""Judge one open answer: correctness and relevancy; where it had a context, that context too.

The judge labels statements or passages, the code counts. The definitions are those of DeepEval's
metrics of the same names; correctness is graded against the reference in quarters.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from uaeval.errors import ReplyError
from uaeval.evaluation.judging.grades import GradedMetric, ranked_precision, share
from uaeval.evaluation.metrics.attribution import passages_of
from uaeval.evaluation.metrics.final_score import ExplainedScore, judge_correctness
from uaeval.llm.model import Model
from uaeval.llm.replies import PassageLabels, StatementLabels
from uaeval.prompts import Field
from uaeval.types import Context

YES: Final = "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAnswer:
    """What is judged."""

    question: str
    reference: str
    text: str
    contexts: tuple[Context, ...]
    """What the model was shown; empty where it was shown none."""


Judged = Callable[[OpenAnswer, Model], Awaitable[ExplainedScore]]


async def judge_metric(metric: GradedMetric, answer: OpenAnswer, judge: Model) -> ExplainedScore:
    """Return one score in [0, 1].

    Raises:
        RecordError: the judge could not be asked or understood; that is no score.
    """
    return await _JUDGED[metric](answer, judge)


async def _correctness(answer: OpenAnswer, judge: Model) -> ExplainedScore:
    return await judge_correctness(answer.question, answer.reference, answer.text, judge)


async def _relevancy(answer: OpenAnswer, judge: Model) -> ExplainedScore:
    fields: dict[str, Field] = {"question": answer.question, "response": answer.text}
    return await _counted(judge, GradedMetric.RELEVANCY, fields)


async def _faithfulness(answer: OpenAnswer, judge: Model) -> ExplainedScore:
    fields: dict[str, Field] = {"response": answer.text, "passages": passages_of(answer.contexts)}
    return await _counted(judge, GradedMetric.FAITHFULNESS, fields, of_none=1.0)


async def _recall(answer: OpenAnswer, judge: Model) -> ExplainedScore:
    fields: dict[str, Field] = {
        "question": answer.question,
        "reference": answer.reference,
        "passages": passages_of(answer.contexts),
    }
    return await _counted(judge, GradedMetric.RECALL, fields)


async def _context_relevancy(answer: OpenAnswer, judge: Model) -> ExplainedScore:
    fields: dict[str, Field] = {
        "question": answer.question,
        "passages": passages_of(answer.contexts),
    }
    return await _counted(judge, GradedMetric.CONTEXT_RELEVANCY, fields)


async def _precision(answer: OpenAnswer, judge: Model) -> ExplainedScore:
    passages = passages_of(answer.contexts)

    def parse(reply: PassageLabels) -> ExplainedScore:
        if len(reply.labels) != len(passages):
            message = f"{len(passages)} passages were shown, and {len(reply.labels)} labels given"
            raise ReplyError(message, raw=reply.model_dump_json())
        relevant = [label == YES for label in reply.labels]
        listed = ", ".join(f"{number}: {label}" for number, label in enumerate(reply.labels, 1))
        return ExplainedScore(
            score=ranked_precision(relevant), explanation=f"{reply.rationale} ({listed})"
        )

    return await judge.ask(
        f"judge/{GradedMetric.PRECISION}",
        PassageLabels,
        parse,
        question=answer.question,
        reference=answer.reference,
        passages=passages,
    )


async def _counted(
    judge: Model,
    metric: GradedMetric,
    fields: Mapping[str, Field],
    *,
    of_none: float | None = None,
) -> ExplainedScore:
    """Have a text taken apart, and return the share of its statements that hold.

    `of_none` is the share where it makes no statement; without it, such a reply cannot be used.
    """

    def parse(reply: StatementLabels) -> ExplainedScore:
        if of_none is None and not reply.statements:
            raise ReplyError("no statement was labelled", raw=reply.model_dump_json())
        held = [statement.label == YES for statement in reply.statements]
        explanation = f"{reply.rationale} ({sum(held)} of {len(held)} statements)"
        return ExplainedScore(score=share(held, of_none=of_none or 0.0), explanation=explanation)

    return await judge.ask(f"judge/{metric}", StatementLabels, parse, **fields)


_JUDGED: Final[Mapping[GradedMetric, Judged]] = {
    GradedMetric.CORRECTNESS: _correctness,
    GradedMetric.RELEVANCY: _relevancy,
    GradedMetric.FAITHFULNESS: _faithfulness,
    GradedMetric.PRECISION: _precision,
    GradedMetric.RECALL: _recall,
    GradedMetric.CONTEXT_RELEVANCY: _context_relevancy,
}
