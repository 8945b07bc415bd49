"""Measure the metrics on demand, after the judgements of an evaluation."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from operator import attrgetter
from typing import Any

from uaeval.config import EvaluationConfig
from uaeval.errors import ReplyError
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.judged import Case, JudgedMetric, Sources, Values
from uaeval.evaluation.metrics.ratios import Rows, grouped
from uaeval.evaluation.metrics.registry import judged_metrics
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.evaluation.run import write_failures
from uaeval.evaluation.statistics.composites import CompositePart, mean_score
from uaeval.evaluation.statistics.intervals import Observation
from uaeval.records import Blocked, Failure, Score
from uaeval.run.progress import ProgressListener
from uaeval.runner import PendingRecord, of_kind, run_calls
from uaeval.storage import write_journal


async def measure_further(
    evaluation: Evaluation, sources: Sources, config: EvaluationConfig, progress: ProgressListener
) -> tuple[tuple[Score, ...], int]:
    """Measure the metrics of `config`, and the parts of others that need no judge.

    Write the records; return the scores, and the number of pending replies (batch mode).
    """
    pairs = list(zip(evaluation.queries, evaluation.items, strict=True))
    answered, outcomes, scores = evaluation.cases, list[object](), list[Score]()
    for metric in judged_metrics().values():
        requested = metric.name in config.metrics
        if not requested and metric.by_code is None:
            continue
        cases = [case for case in answered if metric.applies(case.query)]
        measured, to_ask = _by_code(metric, cases, sources, requested=requested)
        if to_ask:
            measure = partial(_measure, metric, metric.open(sources))
            calls = {f"{case.query.id}/{metric.name}": partial(measure, case) for case in to_ask}
            progress.started(metric.title, len(calls))
            replies = await run_calls(
                "judge", calls, concurrency=config.concurrency, advanced=progress.advanced
            )
            measured |= {record.query_id: record for record in of_kind(replies, metric.record)}
            outcomes += replies
        records = (measured[query.id] for query, _ in pairs if query.id in measured)
        write_journal(evaluation.folder / metric.file, metric.record, records)
        if requested:
            rows = [item for query, item in pairs if metric.applies(query) and not item.blocked]
            values = {name: metric.values(record) for name, record in measured.items()}
            scores += mean_scores(metric, rows, values)
    failed = [*of_kind(outcomes, Failure), *of_kind(outcomes, Blocked)]
    write_failures(evaluation.folder, "further", sorted(failed, key=attrgetter("id")))
    return tuple(scores), len(of_kind(outcomes, PendingRecord))


async def _measure(
    metric: JudgedMetric[Any], measure: Callable[[Case], Awaitable[Any]], case: Case
) -> Any:
    """Return the record of a case; raise `ReplyError` if one of its values is not from 0 to 1."""
    record = await measure(case)
    for name, value in metric.values(record).items():
        if value is not None and not 0 <= value <= 1:
            raise ReplyError(f"{name} should be from 0 to 1, got {value}")
    return record


def _by_code(
    metric: JudgedMetric[Any], cases: list[Case], sources: Sources, *, requested: bool
) -> tuple[dict[str, Any], list[Case]]:
    """Return the records that code determines, by query id, and the cases for the judge.

    The record of a case for the judge is the one to keep if the judge fails.
    """
    if metric.by_code is None:
        return {}, cases
    found = ((case.query.id, metric.by_code(case, sources)) for case in cases)
    records = {name: record for name, record in found if record is not None}
    fallbacks = {name: metric.unjudged(record) for name, record in records.items() if requested}
    unjudged = {name: record for name, record in fallbacks.items() if record is not None}
    return records | unjudged, [case for case in cases if case.query.id in unjudged]


def mean_scores(
    metric: JudgedMetric[Any], rows: Rows, values: Mapping[str, Values]
) -> Iterable[Score]:
    """Yield the mean of each metric in each group; `values` are by query id.

    A query without values is an error; a query whose value is `None` is left out.
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
            yield mean_score(spec.name, group, CompositePart(measured, spec.lower_is_better))
