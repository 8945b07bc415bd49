"""Measuring after an evaluation: why responses are bad, and the metrics that were asked for."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from uaeval.categories.names import category_names
from uaeval.evaluation.judging.calls import Call, run_calls
from uaeval.evaluation.metrics.judged import (
    AnyJudgedMetric,
    Case,
    JudgedMetric,
    Sources,
    Values,
)
from uaeval.evaluation.metrics.outcomes import read_items
from uaeval.evaluation.metrics.registry import judged_metrics
from uaeval.evaluation.metrics.spec import CONTROLS, OVERALL
from uaeval.evaluation.statistics.composites import Observation, mean_score
from uaeval.run.progress import ProgressListener
from uaeval.runner import PendingRecord
from uaeval.storage import write_journal
from uaeval.types import (
    Blocked,
    Failure,
    Judgement,
    Query,
    Rejection,
    Response,
    ResponseStatus,
    Score,
)

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class AdditionalResults:
    """The records and scores of the metrics on demand."""

    records: Mapping[str, tuple[object, ...]]
    """By metric, in the order of the queries."""
    failures: tuple[Failure, ...] = ()
    """Of the judge, stage `judge`."""
    blocked: tuple[Blocked, ...] = ()
    waiting: int = 0
    scores: tuple[Score, ...] = ()

    def of(self, metric: JudgedMetric[R]) -> tuple[R, ...]:
        """Return the records of a metric; none if it was not measured."""
        found = self.records.get(metric.name, ())
        return tuple(record for record in found if isinstance(record, metric.record))


@dataclass(slots=True)
class _Runner:
    """Measures cases, and keeps apart the calls that failed."""

    concurrency: int
    progress: ProgressListener
    failures: list[Failure] = field(default_factory=list)
    blocked: list[Blocked] = field(default_factory=list)
    waiting: int = 0

    async def run(
        self,
        metric: JudgedMetric[R],
        cases: Sequence[Case],
        measure: Callable[[Case], Awaitable[R]],
    ) -> dict[str, R]:
        """Return the records by query id; failed, blocked and pending calls have none."""
        self.progress.started(metric.title, len(cases))
        calls = [Call(f"{case.id}/{metric.name}", partial(measure, case)) for case in cases]
        outcomes = await run_calls(
            "judge", calls, concurrency=self.concurrency, progress=self.progress
        )
        records = dict[str, R]()
        for case, outcome in zip(cases, outcomes.values(), strict=True):
            match outcome:
                case Failure():
                    self.failures.append(outcome)
                case Blocked():
                    self.blocked.append(outcome)
                case PendingRecord():
                    self.waiting += 1
                case Rejection():
                    raise AssertionError(f"{case.id}: a measurement is never rejected")
                case _:
                    records[case.id] = outcome
        return records


async def measure_further(
    queries: Sequence[Query],
    responses: Sequence[Response],
    judgements: Sequence[Judgement],
    names: Collection[str],
    sources: Sources,
    *,
    concurrency: int,
    progress: ProgressListener,
) -> AdditionalResults:
    """Measure the metrics `names`, and by code alone what needs no judge."""
    runner = _Runner(concurrency, progress)
    answered = {response.query_id: response for response in responses}
    items = read_items(queries, responses, judgements)
    pairs = list(zip(queries, items, strict=True))
    cases = [
        Case(query=query, response=answered[query.id], outcome=item)
        for query, item in pairs
        if item.status is ResponseStatus.OK
    ]
    unblocked = [query for query, item in pairs if not item.blocked]
    records, scores = dict[str, tuple[object, ...]](), list[Score]()
    for metric in judged_metrics().values():
        asked = metric.name in names
        if not asked and metric.by_code is None:
            continue
        measured = await _measured(metric, cases, sources, runner, asked=asked)
        records[metric.name] = tuple(
            measured[query.id] for query in queries if query.id in measured
        )
        if asked:
            population = [query for query in unblocked if metric.applies(query)]
            values = {name: metric.values(record) for name, record in measured.items()}
            scores += mean_scores(metric, population, values)
    return AdditionalResults(
        records=records,
        failures=tuple(sorted(runner.failures, key=lambda failure: failure.id)),
        blocked=tuple(sorted(runner.blocked, key=lambda blocked: blocked.id)),
        waiting=runner.waiting,
        scores=tuple(scores),
    )


async def _measured(
    metric: AnyJudgedMetric,
    cases: Sequence[Case],
    sources: Sources,
    runner: _Runner,
    *,
    asked: bool,
) -> Mapping[str, object]:
    """Return the records of a metric by query id."""
    cases = [case for case in cases if metric.applies(case.query)]
    records: dict[str, object] = {}
    if metric.by_code:
        known = {case.id: metric.by_code(case, sources) for case in cases}
        by_code = {name: result for name, result in known.items() if result}
        cases = [case for case in cases if asked and case.id in by_code and by_code[case.id].ask]
        records |= {name: result.record for name, result in by_code.items()}
        records |= {case.id: by_code[case.id].unjudged for case in cases}
    if cases:
        records |= await runner.run(metric, cases, metric.open(sources))
    return records


def mean_scores(
    metric: AnyJudgedMetric, queries: Sequence[Query], values: Mapping[str, Values]
) -> Iterable[Score]:
    """Yield the mean of each metric in each group; `values` are by query id.

    A query without values is an error; one that has no value of this metric is left out.
    """
    for spec in metric.metrics:
        for group, members in _groups(queries, spec.group):
            measured = [
                Observation(query.provenance.document_id, values.get(query.id, {}).get(spec.name))
                for query in members
                if query.id not in values or values[query.id][spec.name] is not None
            ]
            yield mean_score(spec.name, group, measured, lower_is_better=spec.lower_is_better)


def _groups(queries: Sequence[Query], main: str) -> Iterable[tuple[str, Sequence[Query]]]:
    yield main, queries
    if main != OVERALL:
        return
    if controls := [query for query in queries if query.answerable]:
        yield CONTROLS, controls
    for category in category_names():
        if members := [query for query in queries if query.category == category]:
            yield category, members


def write_further(folder: Path, further: AdditionalResults) -> None:
    """Write the records beside the evaluation's other journals."""
    for name, metric in judged_metrics().items():
        records = further.of(metric)
        if records or (metric.by_code and name in further.records):
            write_journal(folder / metric.file, metric.record, records)
    write_journal(folder / "further.failed.jsonl", Failure, further.failures)
    write_journal(folder / "further.blocked.jsonl", Blocked, further.blocked)
