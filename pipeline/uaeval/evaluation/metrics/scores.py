"""Compute the scores of an evaluation from the outcomes of its queries.

Errors and undecided judgements lower `judged` and widen the bounds, without a change of the value.
A blocked response is no error: a blocked control is incorrect, and the blocked ratio counts it.
"""

from collections.abc import Iterable, Sequence

from uaeval.config import ScoreSettings
from uaeval.evaluation.metrics.ratios import Composite, Ratio, Rows, grouped
from uaeval.evaluation.metrics.registry import STANDARD
from uaeval.evaluation.metrics.spec import MACRO, OVERALL, Family
from uaeval.evaluation.statistics.composites import (
    CompositePart,
    composite_scores,
    proportion_score,
)
from uaeval.evaluation.statistics.intervals import Observation
from uaeval.evaluation.statistics.statistic import macro
from uaeval.records import Score


def item_scores(
    items: Rows, *, weights: tuple[float, float] = ScoreSettings().weights
) -> tuple[Score, ...]:
    """Return all scores of an evaluation, given the outcome of each query."""
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
            yield proportion_score(ratio.name, group, _part(ratio, members))
            if group == OVERALL and ratio.macro:
                parts = [_part(ratio, members) for _, members in grouped(rows, "category")]
                yield from composite_scores(ratio.name, [MACRO], parts, macro)


def _composite_scores(metric: Composite, items: Rows, weight: float) -> tuple[Score, ...]:
    parts = [_part(ratio, [row for row in items if ratio.includes(row)]) for ratio in metric.parts]
    weights = metric.weights(weight)
    proportions: list[Sequence[Observation] | None] = [None] * len(weights)
    if metric.of_abstained:
        # The outcome says whether an abstention is of the first part.
        abstained = [
            row._replace(outcome=part is parts[0])
            for part in parts
            for row in part.observations
            if row.outcome is True
        ]
        proportions = [abstained]
    elif metric.figure == "joint":
        alone = {1.0: parts[0].observations, 0.0: parts[1].observations}
        proportions = [alone.get(first) for first in weights.values()]
    return composite_scores(metric.name, [*weights], parts, metric.statistic(weight), proportions)


def _part(ratio: Ratio, rows: Rows) -> CompositePart:
    """Return the outcome of each row that the ratio applies to."""
    outcomes = ((row, ratio.outcome(row)) for row in rows if ratio.applies_to(row))
    observations = [
        Observation(row.document, outcome, outcome is None and row.is_undecided(ratio.basis))
        for row, outcome in outcomes
    ]
    return CompositePart(observations, ratio.lower_is_better)
