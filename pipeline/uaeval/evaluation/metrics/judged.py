"""Metrics on demand: what a judge is asked about responses beyond verdict and acceptability.

A package adds one under the entry-point group `uaeval.metrics`, with its prompts in a folder
`prompts` beside the module.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from uaeval.errors import ReplyError
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.evaluation.metrics.spec import MetricSpec, value_at
from uaeval.llm.model import Model
from uaeval.llm.replies import Reply
from uaeval.prompts import Field, PromptLibrary
from uaeval.records import Query, Response

R = TypeVar("R")
P = TypeVar("P", bound=Reply)

Values: TypeAlias = Mapping[str, float | None]
"""The values of one query by name of the metric; `None` where it has none, which is no error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A query, the response to it, and its outcome."""

    query: Query
    response: Response
    outcome: QueryOutcomeRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What metrics are measured with."""

    judge: Model
    texts: Mapping[str, str]
    """The texts of the chunks that responses should rest on, by id."""
    folder: Path
    """The folder of the dataset, where a metric may keep what all evaluations share."""
    prompts: PromptLibrary


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedMetric(Generic[R]):
    """A measurement that `--metrics` offers: one record for each response, and its metrics."""

    name: str
    title: str
    """What the progress line says: `scoring answers and contexts`."""
    prompts: tuple[str, ...]
    """The names of the prompts that the judge is asked."""
    record: type[R]
    """Has a `query_id`."""
    open: Callable[[Sources], Callable[[Case], Awaitable[R]]]
    """Returns the function that measures a case; it raises `RecordError` where that fails."""
    metrics: Sequence[MetricSpec] = ()
    """What is measured; the value of each is that of its record at `value`."""
    file: str
    """The journal of the records."""
    applies: Callable[[Query], bool] = lambda _: True
    """Whether a query counts; one without a response is then an error."""
    by_code: Callable[[Case, Sources], R | None] | None = None
    """Set where code can tell something even if the metric was not asked for. `None` for a case
    that the metric does not concern."""
    unjudged: Callable[[R], R | None] = lambda _: None
    """Returns, of what code told, the record that stays if the judge is asked and fails; `None`
    where the judge could not tell otherwise."""
    line: Callable[[R], str] | None = None
    """Writes one query's record for the terminal."""
    note: str = ""
    """What a reader of the report must know about the metrics."""

    def values(self, record: R) -> Values:
        """Return the values of a record by name of the metric."""
        return {spec.name: value_at(record, spec.value or spec.name) for spec in self.metrics}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedScore:
    """One score of one response, with what the judge says of it."""

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
    """Return a metric that is one score of one reply.

    Args:
        metric: What the metric is.
        prompt: The name of the prompt, such as `politeness/judge`.
        reply: The type that the judge's reply must have; its `rationale`, if any, is kept.
        fields: Returns the fields of the prompt.
        score: Returns the score in [0, 1].
        applies: Whether the responses to a query are scored.
    """

    async def measure(case: Case, judge: Model) -> JudgedScore:
        def parse(said: P) -> JudgedScore:
            value = score(said)
            if not 0 <= value <= 1:
                message = f"{metric.name} lies from 0 to 1, got {value}"
                raise ReplyError(message, raw=said.model_dump_json())
            rationale = str(getattr(said, "rationale", ""))
            return JudgedScore(query_id=case.query.id, score=value, rationale=rationale)

        return await judge.ask(prompt, reply, parse, **fields(case.query, case.response))

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
