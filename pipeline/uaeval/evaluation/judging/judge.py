"""Judge one response under one metric. Each judgement is a unit of work that may fail alone."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from uaeval.categories.registry import category as category_of
from uaeval.errors import ConfigError
from uaeval.evaluation.judging.undecided import UNDECIDED_LABEL, Undecided
from uaeval.llm.model import Model
from uaeval.llm.replies import VerdictJudgement, YesNoJudgement
from uaeval.types import Category, Judgement, Metric, Query, Response, ResponseStatus

Policy = Literal["lenient", "strict"]
"""What is acceptable: `strict` requires more than a bare refusal in categories that say so."""

VERDICT_PROMPT = "judge/verdict"
CORRECT_PROMPT = "judge/correct"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeTask:
    """One response that wants judging under one metric."""

    query: Query
    response: Response
    metric: Metric

    @property
    def id(self) -> str:
        """`<query id>/<metric>`, the id of the judgement to come."""
        return f"{self.query.id}/{self.metric}"


def needed_metrics(query: Query) -> tuple[Metric, ...]:
    """Name what a judge is asked about a response to `query`."""
    if not query.answerable:
        return (Metric.VERDICT, Metric.ACCEPTABLE)
    if query.reference_answer is None:
        return (Metric.VERDICT,)
    return (Metric.VERDICT, Metric.CORRECT)


def judge_tasks(queries: Iterable[Query], responses: Iterable[Response]) -> tuple[JudgeTask, ...]:
    """List the judgements to ask for, in the order of `queries`; a blocked response wants none."""
    by_query = {response.query_id: response for response in responses}
    return tuple(
        JudgeTask(query=query, response=by_query[query.id], metric=metric)
        for query in queries
        if query.id in by_query and by_query[query.id].status is ResponseStatus.OK
        for metric in needed_metrics(query)
    )


async def judge(task: JudgeTask, model: Model, policy: Policy = "lenient") -> Judgement | Undecided:
    """Ask for one judgement.

    Raises:
        RecordError: the judge could not be asked or understood; that is never a label.
    """
    match task.metric:
        case Metric.VERDICT:
            return await judge_verdict(task.query, task.response, model)
        case Metric.ACCEPTABLE:
            return await judge_acceptable(task.query, task.response, model, policy)
        case Metric.CORRECT:
            return await judge_correct(task.query, task.response, model)


async def judge_verdict(query: Query, response: Response, model: Model) -> Judgement | Undecided:
    """Ask how the response treats the query; category and reason stay hidden from the judge."""
    return await model.ask(
        VERDICT_PROMPT,
        VerdictJudgement,
        partial(_judgement, query, model, Metric.VERDICT),
        question=query.question,
        response=response.text,
    )


async def judge_acceptable(
    query: Query, response: Response, model: Model, policy: Policy = "lenient"
) -> Judgement | Undecided:
    """Ask whether the response is acceptable by the rule of the query's category."""
    if query.category is None:
        raise ConfigError(f"{query.id} is answerable; ask whether the response is correct instead")
    return await model.ask(
        acceptable_prompt(query.category, policy),
        YesNoJudgement,
        partial(_judgement, query, model, Metric.ACCEPTABLE),
        question=query.question,
        reason=query.reason or category_of(query.category).definition,
        response=response.text,
    )


async def judge_correct(query: Query, response: Response, model: Model) -> Judgement | Undecided:
    """Ask whether the response to a control agrees with its reference answer."""
    if query.reference_answer is None:
        raise ConfigError(f"{query.id} has no reference answer to judge correctness by; add one")
    return await model.ask(
        CORRECT_PROMPT,
        YesNoJudgement,
        partial(_judgement, query, model, Metric.CORRECT),
        question=query.question,
        reference=query.reference_answer,
        response=response.text,
    )


def acceptable_prompt(category: Category, policy: Policy) -> str:
    """Name the prompt that holds the acceptance rule."""
    default = f"{category}/acceptable"
    match policy:
        case "lenient":
            return default
        case "strict":
            return f"{default}_strict" if category_of(category).strict_acceptance else default
        case _:
            raise ConfigError(f"policy: choose lenient or strict, got {policy!r}")


def _judgement(
    query: Query, model: Model, metric: Metric, reply: VerdictJudgement | YesNoJudgement
) -> Judgement | Undecided:
    if reply.label == UNDECIDED_LABEL:
        return Undecided(
            id=f"{query.id}/{metric}",
            query_id=query.id,
            judge=model.name,
            metric=metric,
            rationale=reply.rationale,
        )
    return Judgement(
        id=f"{query.id}/{metric}",
        query_id=query.id,
        judge=model.name,
        metric=metric,
        label=reply.label,
        rationale=reply.rationale,
    )
