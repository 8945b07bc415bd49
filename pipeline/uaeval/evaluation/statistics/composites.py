"""Scores that are functions of proportions: macro means, F1, balanced accuracy, the joint score.

All are functions of the sums of their parts, so one bootstrap over documents works for all.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from uaeval.evaluation.statistics.bootstrap import cluster_bootstrap, part_columns
from uaeval.evaluation.statistics.intervals import Interval, Observation, weighted_share, wilson
from uaeval.evaluation.statistics.statistic import Statistic, rates
from uaeval.records import Score


class CompositePart(NamedTuple):
    """One proportion that a composite is made of."""

    observations: Sequence[Observation]
    lower_is_better: bool = False

    def totals(self, best: bool | None = None) -> tuple[float, float]:
        """Return hits and n, weighted, of the known outcomes.

        With `best`, unknown outcomes are counted for (or against) the system.
        """
        hits = math.fsum(row.weight * row.outcome for row in self.observations if row.outcome)
        judged = math.fsum(row.weight for row in self.observations if row.outcome is not None)
        if best is None:
            return hits, judged
        n = math.fsum(row.weight for row in self.observations)
        return hits + (n - judged if best is not self.lower_is_better else 0), n


def proportion_score(metric: str, group: str, part: CompositePart) -> Score:
    """Return the score of the weighted share of the judged observations that count."""
    (score,) = composite_scores(metric, [group], [part], rates, [part.observations])
    return score


def mean_score(metric: str, group: str, part: CompositePart) -> Score:
    """Return the score of the mean of the known outcomes; errors count as 0 and 1 in its bounds."""
    (score,) = composite_scores(metric, [group], [part], rates)
    return score


def composite_scores(
    metric: str,
    groups: Sequence[str],
    parts: Sequence[CompositePart],
    statistic: Statistic,
    proportions: Sequence[Sequence[Observation] | None] = (),
) -> tuple[Score, ...]:
    """Return the score of each figure of `statistic` over `parts`; `groups` names the figures.

    The interval is that of the bootstrap over documents. A figure that is the share of some
    observations, given in `proportions`, has the Wilson interval of their effective sample size
    n / design effect, as Korn and Graubard (1998), Survey Methodology 24, 193-201, do. Outcomes of
    a part that are all equal do not vary in the bootstrap: its intervals are then unreliable.
    """
    known = [[row for row in part.observations if row.outcome is not None] for part in parts]
    n, judged = sum(len(part.observations) for part in parts), sum(map(len, known))
    undecided = sum(row.undecided for part in parts for row in part.observations)
    values, worst, best = (_figures(statistic, parts, bound) for bound in (None, False, True))
    clusters = [min(filter(None, map(_documents, known)), default=0)] * len(groups)
    varied = all(len({row.outcome for row in part}) != 1 for part in known)
    intervals: list[Interval | None] = [None] * len(groups)
    shares = proportions or [None] * len(groups)
    if None not in values:
        if None in shares:
            rows = [[row[:2] for row in part] for part in known]
            intervals = [*cluster_bootstrap(*part_columns(rows), statistic).intervals()]
        for i, observations in enumerate(shares):
            judged_rows = [row for row in observations or () if row.outcome is not None]
            if estimate := weighted_share(judged_rows):
                intervals[i], clusters[i] = wilson(*estimate), _documents(judged_rows)
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
            clusters=clusters[i],
            reliable=interval is not None
            and interval.is_reliable(clusters[i])
            and (varied or share is not None),
        )
        for i, (group, interval, share) in enumerate(zip(groups, intervals, shares, strict=True))
    )


def _documents(observations: Sequence[Observation]) -> int:
    return len({row.document for row in observations})


def _figures(
    statistic: Statistic, parts: Sequence[CompositePart], best: bool | None
) -> list[float | None]:
    totals = np.asarray([part.totals(best) for part in parts], dtype=np.float64).reshape(-1)
    return [None if np.isnan(value) else float(value) for value in statistic(totals)]
