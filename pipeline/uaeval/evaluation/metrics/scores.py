"""From judgements to scores, and measuring what was asked for beside them.

A response or judgement that is missing is an error; what the judge could not tell is undecided.
Both lower `judged` and widen the bounds; neither moves a value. A blocked response is no error: no
judge is asked about it, a blocked control counts as incorrect (its user got no answer), and the
blocked ratio shows how many there were.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from uaeval.config import ScoreSettings
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.judged import AnyJudgedMetric, Case, Sources, Values
from uaeval.evaluation.metrics.registry import STANDARD, judged_metrics
from uaeval.evaluation.metrics.spec import MACRO, OVERALL, Composite, Family, Ratio, Rows, grouped
from uaeval.evaluation.run import write_failures
from uaeval.evaluation.statistics.composites import (
    CompositePart,
    Observation,
    composite_scores,
    documents,
    mean_score,
    proportion_score,
)
from uaeval.evaluation.statistics.intervals import RELIABLE_CLUSTERS, proportion_interval
from uaeval.evaluation.statistics.statistic import macro
from uaeval.records import Blocked, Failure, Score
from uaeval.run.progress import ProgressListener
from uaeval.runner import PendingRecord, of_kind, run_calls
from uaeval.storage import write_journal


def item_scores(
    items: Rows, *, weights: tuple[float, float] = ScoreSettings().weights
) -> tuple[Score, ...]:
    """Return every score of an evaluation, given the outcome of each query."""
    order = list(Family)
    return tuple(
        score
        for metric in sorted(STANDARD, key=lambda metric: order.index(metric.family))
        for score in (
            _ratio_scores(metric, items)
            if isinstance(metric, Ratio)
            else _composite_scores(metric, items, weights[0])
        )
    )


def _ratio_scores(ratio: Ratio, items: Rows) -> Iterable[Score]:
    rows = [row for row in items if ratio.includes(row)]
    for by in ratio.groups:
        for group, members in grouped(rows, by):
            yield proportion_score(
                ratio.name, group, observe(ratio, members), lower_is_better=ratio.lower_is_better
            )
            if group == OVERALL and ratio.macro:
                parts = [_part(ratio, members) for _, members in grouped(rows, "category")]
                yield from composite_scores(ratio.name, [MACRO], parts, macro)


def _composite_scores(metric: Composite, items: Rows, weight: float) -> Iterable[Score]:
    parts = [_part(ratio, [row for row in items if ratio.includes(row)]) for ratio in metric.parts]
    groups = tuple(metric.weights) or (OVERALL,)
    scored = composite_scores(metric.name, groups, parts, metric.statistic(weight))
    return (_of_abstained(score, parts) if metric.of_abstained else score for score in scored)


def _of_abstained(score: Score, parts: Iterable[CompositePart]) -> Score:
    """Return the score with the interval of a proportion of the responses that abstain."""
    if score.value is None:
        return score
    hits = [[seen for seen in part.observations if seen.outcome is True] for part in parts]
    abstained = [seen for part in hits for seen in part]
    outcomes = [place == 0 for place, part in enumerate(hits) for _ in part]
    interval = proportion_interval(outcomes, [seen.document for seen in abstained])
    clusters = len(documents(abstained))
    return replace(
        score,
        low=interval.low,
        high=interval.high,
        clusters=clusters,
        reliable=clusters >= RELIABLE_CLUSTERS,
    )


def _part(ratio: Ratio, rows: Rows) -> CompositePart:
    return CompositePart(observe(ratio, rows), ratio.lower_is_better)


def observe(ratio: Ratio, rows: Rows) -> tuple[Observation, ...]:
    """Read the outcome of each row that the ratio applies to."""
    observed = ((row, ratio.outcome(row)) for row in rows if ratio.applies_to(row))
    return tuple(
        Observation(row.document, outcome, outcome is None and row.is_undecided(ratio.basis))
        for row, outcome in observed
    )


async def measure_further(
    evaluation: Evaluation,
    names: Collection[str],
    sources: Sources,
    *,
    concurrency: int,
    progress: ProgressListener,
) -> tuple[tuple[Score, ...], int]:
    """Measure the metrics `names`, and by code alone what needs no judge; write their records.

    Return the scores, and how many answers are still to come (batch mode).
    """
    metrics, cases = judged_metrics(), evaluation.cases
    pairs = list(zip(evaluation.queries, evaluation.items, strict=True))
    records, scores = dict[str, list[Any]](), list[Score]()
    outcomes = list[object]()
    for metric in metrics.values():
        asked = metric.name in names
        if not asked and metric.by_code is None:
            continue
        measured, to_ask = _by_code(metric, cases, sources, asked=asked)
        if to_ask:
            measure = metric.open(sources)
            calls = {f"{case.id}/{metric.name}": partial(measure, case) for case in to_ask}
            progress.started(metric.title, len(calls))
            replies = await run_calls(
                "judge", calls, concurrency=concurrency, advanced=progress.advanced
            )
            measured |= {each.query_id: each for each in of_kind(replies, metric.record)}
            outcomes += replies
        records[metric.name] = [measured[query.id] for query, _ in pairs if query.id in measured]
        if asked:
            rows = [item for query, item in pairs if metric.applies(query) and not item.blocked]
            values = {name: metric.values(record) for name, record in measured.items()}
            scores += mean_scores(metric, rows, values)
    for name, measured_records in records.items():
        metric = metrics[name]
        write_journal(evaluation.folder / metric.file, metric.record, measured_records)
    faults = [*of_kind(outcomes, Failure), *of_kind(outcomes, Blocked)]
    write_failures(evaluation.folder, "further", sorted(faults, key=attrgetter("id")))
    return tuple(scores), len(of_kind(outcomes, PendingRecord))


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
