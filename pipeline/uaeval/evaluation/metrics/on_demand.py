"""Measuring after an evaluation: why responses are bad, and the metrics that were asked for."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from uaeval.evaluation.metrics.judged import (
    AnyJudgedMetric,
    Case,
    JudgedMetric,
    Sources,
    Values,
)
from uaeval.evaluation.metrics.outcomes import read_items
from uaeval.evaluation.metrics.registry import judged_metrics
from uaeval.evaluation.metrics.spec import OVERALL, Rows, grouped
from uaeval.evaluation.statistics.composites import Observation, mean_score
from uaeval.records import (
    Blocked,
    Failure,
    Judgement,
    Query,
    Response,
    ResponseStatus,
    Score,
)
from uaeval.run.progress import ProgressListener
from uaeval.runner import run_calls
from uaeval.storage import write_journal

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
        records = self.records.get(metric.name, ())
        return tuple(record for record in records if isinstance(record, metric.record))


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
    answered = {response.query_id: response for response in responses}
    items = read_items(queries, responses, judgements)
    pairs = list(zip(queries, items, strict=True))
    cases = [
        Case(query=query, response=answered[query.id], outcome=item)
        for query, item in pairs
        if item.status is ResponseStatus.OK
    ]
    records, scores = dict[str, tuple[object, ...]](), list[Score]()
    faults, waiting = list[Failure | Blocked](), 0
    for metric in judged_metrics().values():
        asked = metric.name in names
        if not asked and metric.by_code is None:
            continue
        measured, to_ask = _by_code(metric, cases, sources, asked=asked)
        if to_ask:
            measure = metric.open(sources)
            calls = {f"{case.id}/{metric.name}": partial(measure, case) for case in to_ask}
            progress.started(metric.title, len(calls))
            results = await run_calls(
                "judge", calls, concurrency=concurrency, advanced=progress.advanced
            )
            measured |= {record.query_id: record for record in results.records.values()}
            faults += results.failures
            waiting += results.waiting
        records[metric.name] = tuple(
            measured[query.id] for query in queries if query.id in measured
        )
        if asked:
            rows = [item for query, item in pairs if metric.applies(query) and not item.blocked]
            values = {name: metric.values(record) for name, record in measured.items()}
            scores += mean_scores(metric, rows, values)
    faults.sort(key=lambda fault: fault.id)
    return AdditionalResults(
        records=records,
        failures=tuple(fault for fault in faults if isinstance(fault, Failure)),
        blocked=tuple(fault for fault in faults if isinstance(fault, Blocked)),
        waiting=waiting,
        scores=tuple(scores),
    )


def _by_code(
    metric: AnyJudgedMetric, cases: Sequence[Case], sources: Sources, *, asked: bool
) -> tuple[dict[str, Any], list[Case]]:
    """Return what code can tell, by query id, and the cases that the judge is asked about.

    A case that the judge is asked about has the record that stays if the judge fails.
    """
    cases = [case for case in cases if metric.applies(case.query)]
    if metric.by_code is None:
        return {}, cases
    by_code = {case.id: result for case in cases if (result := metric.by_code(case, sources))}
    unjudged = {
        name: result.unjudged
        for name, result in by_code.items()
        if asked and result.unjudged is not None
    }
    records = {name: result.record for name, result in by_code.items()}
    return records | unjudged, [case for case in cases if case.id in unjudged]


def mean_scores(
    metric: AnyJudgedMetric, rows: Rows, values: Mapping[str, Values]
) -> Iterable[Score]:
    """Yield the mean of each metric in each group; `values` are by query id.

    A query without values is an error; one that has no value of this metric is left out.
    """
    for spec in metric.metrics:
        groups = [(spec.group, rows)]
        for by in ("controls", "category") if spec.group == OVERALL else ():
            groups += grouped(rows, by)
        for group, members in groups:
            measured = [
                Observation(row.document, values.get(row.query_id, {}).get(spec.name))
                for row in members
                if row.query_id not in values or values[row.query_id][spec.name] is not None
            ]
            yield mean_score(spec.name, group, measured, lower_is_better=spec.lower_is_better)


def write_further(folder: Path, further: AdditionalResults) -> None:
    """Write the records beside the evaluation's other journals."""
    for name, metric in judged_metrics().items():
        if name in further.records:
            write_journal(folder / metric.file, metric.record, further.of(metric))
    write_journal(folder / "further.failed.jsonl", Failure, further.failures)
    write_journal(folder / "further.blocked.jsonl", Blocked, further.blocked)
