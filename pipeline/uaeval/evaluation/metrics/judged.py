"""Metrics on demand: measurements by a judge beyond verdict, acceptability and correctness.

A package registers one in the entry-point group `uaeval.metrics`, with its prompts in a folder
`prompts` beside the module.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar, cast

from uaeval.errors import ReplyError
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.evaluation.metrics.spec import MetricSpec, value_at
from uaeval.llm.model import Field, Model
from uaeval.llm.replies import Reply
from uaeval.prompts import PromptLibrary
from uaeval.records import Query, Response
from uaeval.user_code import CallOutcome

R = TypeVar("R")
P = TypeVar("P", bound=Reply)

Values: TypeAlias = Mapping[str, float | None]
"""The values of one query by name of the metric; `None` if a metric has no value for the query."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A query, the response to it, and its outcome."""

    query: Query
    response: Response
    outcome: QueryOutcomeRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The inputs of a measurement besides the case."""

    judge: Model
    texts: Mapping[str, str]
    """The texts of the expected chunks, by id."""
    folder: Path
    """The folder of the dataset, for files that all its evaluations share."""
    prompts: PromptLibrary


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedMetric(Generic[R]):
    """A measurement for `--metrics`: one record per response, and the metrics of the record."""

    name: str
    title: str
    """The text of the progress bar: `scoring answers and contexts`."""
    prompts: tuple[str, ...]
    record: type[R]
    """The type of the records; it has a field `query_id`."""
    open: Callable[[Sources], Callable[[Case], Awaitable[R]]]
    """Returns the function that measures a case, or raises `RecordError`."""
    metrics: Sequence[MetricSpec] = ()
    """The metrics; `MetricSpec.value` is the place of each value in the record."""
    file: str
    """The journal of records."""
    applies: Callable[[Query], bool] = lambda _: True
    """Returns whether a query is measured; if it has no response, that is an error."""
    by_code: Callable[[Case, Sources], R | None] | None = None
    """Returns the record that code determines, even if the metric was not requested; `None` for a
    case that has none."""
    unjudged: Callable[[R], R | None] = lambda _: None
    """Returns the record to keep if the judge fails, given the record of `by_code`; `None` if the
    judge does not have to be asked."""
    line: Callable[[R], str] | None = None
    """Returns a record as a line for the terminal."""
    note: str = ""
    """A note for readers of the report."""

    def values(self, record: R) -> Values:
        """Return the values of a record, by name of the metric."""
        return {spec.name: value_at(record, spec.value or spec.name) for spec in self.metrics}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedScore:
    """One score of one response, with the judge's rationale."""

    query_id: str
    score: float
    rationale: str


def judged_metric(
    metric: MetricSpec,
    *,
    prompt: str,
    reply: type[P],
    fields: Callable[[Query, Response], Mapping[str, Field]],
    score: Callable[[P], float],
    applies: Callable[[Query], bool] = lambda _: True,
) -> JudgedMetric[JudgedScore]:
    """Return a metric with one prompt and one score.

    Args:
        metric: The metric.
        prompt: The name of the prompt, such as `politeness/judge`.
        reply: The type of the judge's reply; its `rationale`, if any, is recorded.
        fields: Returns the fields of the prompt.
        score: Returns the score in [0, 1].
        applies: Returns whether a query is measured.
    """

    async def measure(case: Case, judge: Model) -> JudgedScore:
        def parse(parsed: P) -> tuple[P, CallOutcome]:
            with CallOutcome() as outcome:
                outcome.value = value = score(parsed)
                if not 0 <= value <= 1:
                    message = f"{metric.name} should be from 0 to 1, got {value}"
                    raise ReplyError(message, raw=parsed.model_dump_json())
            if isinstance(outcome.error, ReplyError):
                raise outcome.error
            return parsed, outcome

        parsed, outcome = await judge.ask(prompt, reply, parse, **fields(case.query, case.response))
        if outcome.error:  # raised only here, so that the reply is stored and not paid for twice
            raise outcome.error
        rationale, value = str(getattr(parsed, "rationale", "")), cast(float, outcome.value)
        return JudgedScore(query_id=case.query.id, score=value, rationale=rationale)

    return JudgedMetric(
        name=metric.name,
        title=f"judging {metric.shown_name}",
        prompts=(prompt,),
        record=JudgedScore,
        open=lambda sources: lambda case: measure(case, sources.judge),
        metrics=(replace(metric, value="score"),),
        file=f"{metric.name}.jsonl",
        applies=applies,
    )
