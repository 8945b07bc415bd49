"""Test the differences between two runs over the queries that were judged in both."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from uaeval.evaluation.statistics.bootstrap import cluster_bootstrap, part_columns
from uaeval.evaluation.statistics.intervals import Interval
from uaeval.evaluation.statistics.significance import t_p_value
from uaeval.evaluation.statistics.statistic import Array, Statistic


class Pair(NamedTuple):
    """The outcome or score of one query in two runs; `None` if it is unknown."""

    document: str
    first: float | None
    second: float | None

    @property
    def known(self) -> bool:
        """Whether the query was judged in both runs."""
        return self.first is not None and self.second is not None


class Difference(NamedTuple):
    """A figure in two runs over the same queries; `None` if it is undefined."""

    first: float | None
    second: float | None
    interval: Interval | None
    """95 % interval of second minus first."""
    p_value: float | None
    """Two-sided p-value of the hypothesis that the figures are equal."""
    clusters: int
    """Documents behind it; where it has several parts, behind the part with the fewest."""


UNDEFINED = Difference(None, None, None, None, 0)


def paired_difference(parts: Sequence[Sequence[Pair]], statistic: Statistic) -> Difference:
    """Compare one figure of two runs by the paired cluster bootstrap.

    `statistic` computes one figure from totals and counts of `parts`. Documents are drawn, and both
    runs are computed over the same draw, so the difficulty of a document cancels out. The interval
    is that of `Bootstrap`. The p-value is that of a t test with the bootstrap's standard error on
    documents - 1 degrees of freedom (Efron and Tibshirani 1993, An Introduction to the Bootstrap,
    ch. 12); unlike a share of draws, it can be small enough for Holm's correction. Pairs with an
    unknown value are left out.
    """
    known = [[pair for pair in part if pair.known] for part in parts]
    columns, documents = part_columns(known)
    if not (clusters := len(set(documents))):
        return UNDEFINED

    def both(totals: Array) -> Array:
        half = totals.shape[-1] // 2
        first, second = statistic(totals[..., :half]), statistic(totals[..., half:])
        return np.concatenate([first, second, second - first], axis=-1)

    bootstrap = cluster_bootstrap(columns, documents, both)
    if np.isnan(bootstrap.value).any():
        return UNDEFINED
    first, second, difference = map(float, bootstrap.value)
    error = float(np.nanstd(bootstrap.drawn[:, 2], ddof=1))
    p_value = 1.0 if difference == 0 else None
    if difference and error and clusters > 1:
        p_value = t_p_value(difference / error, clusters - 1)
    fewest = min(len({pair.document for pair in part}) for part in known if part)
    return Difference(first, second, bootstrap.intervals()[2], p_value, fewest)
