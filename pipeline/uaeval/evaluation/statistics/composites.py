"""Scores that are functions of proportions: macro means, F1, balanced accuracy, the joint score.

Each is a function of hits and judged numbers of its parts, so one bootstrap over documents works
for all of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from uaeval.evaluation.statistics.intervals import (
    Interval,
    cluster_bootstrap,
    effective_size,
    part_columns,
    wilson,
)
from uaeval.evaluation.statistics.statistic import Statistic, rates
from uaeval.records import Score


class Observation(NamedTuple):
    """Whether one item counts, or its score in [0, 1]; the outcome is `None` if it is unknown."""

    document: str
    outcome: float | None
    undecided: bool = False
    """Whether an unknown outcome is undecided; otherwise it is an error."""
    weight: float = 1.0
    """How many items it represents in a sample; the bootstrap over documents ignores weights."""


def documents(observations: Sequence[Observation]) -> frozenset[str]:
    """Return the documents of the judged observations."""
    return frozenset(seen.document for seen in observations if seen.outcome is not None)


@dataclass(frozen=True, slots=True)
class CompositePart:
    """One proportion that a composite is made of."""

    observations: Sequence[Observation]
    lower_is_better: bool = False

    @property
    def hits(self) -> float:
        """The weighted sum of the outcomes, which is the weight of those that count."""
        return math.fsum(seen.weight * seen.outcome for seen in self.observations if seen.outcome)

    @property
    def judged(self) -> float:
        """The total weight of the known outcomes."""
        return math.fsum(seen.weight for seen in self.observations if seen.outcome is not None)

    def bound(self, *, best: bool) -> tuple[float, float]:
        """Return hits and n with all unknown outcomes counted for (or against) the system."""
        n = math.fsum(seen.weight for seen in self.observations)
        counted = best is not self.lower_is_better
        return self.hits + (n - self.judged if counted else 0), n


class ProportionEstimate(NamedTuple):
    """A proportion and its effective sample size."""

    value: float
    size: float


def weighted_share(observations: Sequence[Observation]) -> ProportionEstimate | None:
    """Return the weighted share of the observations that count; `None` if there are none.

    All outcomes must be known.
    """
    if not observations:
        return None
    weights = [row.weight for row in observations]
    value = math.fsum(row.weight for row in observations if row.outcome) / math.fsum(weights)
    outcomes = [bool(row.outcome) for row in observations]
    size = effective_size(outcomes, [row.document for row in observations], weights)
    return ProportionEstimate(value, size)


def proportion_score(
    metric: str, group: str, observations: Sequence[Observation], *, lower_is_better: bool = False
) -> Score:
    """Return the score of the weighted share of the judged observations that count.

    The Wilson interval uses the effective sample size n / design effect, as Korn and Graubard
    (1998), Survey Methodology 24, 193-201, do.
    """
    share = weighted_share([seen for seen in observations if seen.outcome is not None])
    part = CompositePart(observations, lower_is_better)
    interval = wilson(*share) if share else None
    (score,) = composite_scores(metric, [group], [part], rates, [interval])
    return score


def composite_scores(
    metric: str,
    groups: Sequence[str],
    parts: Sequence[CompositePart],
    statistic: Statistic,
    intervals: Sequence[Interval | None] = (),
) -> tuple[Score, ...]:
    """Return the score of each figure of `statistic` over `parts`; `groups` names the figures.

    The default of `intervals` is the bootstrap over documents.
    """
    values = _figures(statistic, [(part.hits, part.judged) for part in parts])
    worst = _figures(statistic, [part.bound(best=False) for part in parts])
    best = _figures(statistic, [part.bound(best=True) for part in parts])
    observed = [part.observations for part in parts]
    n = sum(map(len, observed))
    judged = sum(seen.outcome is not None for rows in observed for seen in rows)
    undecided = sum(seen.undecided for rows in observed for seen in rows)
    clusters = len(frozenset().union(*map(documents, observed)))
    if None in values:
        intervals = [None] * len(groups)
    if not intervals:
        judged_rows = [[seen[:2] for seen in rows if seen.outcome is not None] for rows in observed]
        intervals = cluster_bootstrap(*part_columns(judged_rows), statistic).intervals()
    return tuple(
        Score(
            metric=metric,
            group=group,
            value=values[i],
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            n=n,
            judged=judged,
            errors=n - judged - undecided,
            undecided=undecided,
            worst=worst[i],
            best=best[i],
            clusters=clusters,
            reliable=interval is not None and interval.is_reliable(clusters),
        )
        for i, (group, interval) in enumerate(zip(groups, intervals, strict=True))
    )


def _figures(statistic: Statistic, pairs: Sequence[tuple[float, float]]) -> list[float | None]:
    totals = np.asarray(pairs, dtype=np.float64).reshape(-1)
    return [None if np.isnan(value) else float(value) for value in statistic(totals)]


def mean_score(
    metric: str, group: str, observations: Sequence[Observation], *, lower_is_better: bool = False
) -> Score:
    """Return the score of the mean of the known outcomes; errors count as 0 and 1 in its bounds."""
    part = CompositePart(observations, lower_is_better)
    (score,) = composite_scores(metric, [group], [part], rates)
    return score
