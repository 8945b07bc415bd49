"""The difference between two runs in any figure, over the queries that both were judged on."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import t

from uaeval.evaluation.statistics.intervals import Interval, cluster_bootstrap, numbered
from uaeval.evaluation.statistics.statistic import Array, Statistic


class Pair(NamedTuple):
    """One query under two runs; `None` is an outcome or score that could not be found out."""

    document: str
    first: float | None
    second: float | None

    @property
    def known(self) -> bool:
        """Whether both runs were judged on it."""
        return self.first is not None and self.second is not None


class Difference(NamedTuple):
    """A figure of two runs over the same queries; `None` is undefined, never a zero."""

    first: float | None
    second: float | None
    interval: Interval | None
    """Of second minus first, 95 %."""
    p_value: float | None
    """Two-sided, that the figures are the same."""
    clusters: int


UNDEFINED = Difference(None, None, None, None, 0)


def paired_difference(
    parts: Sequence[Sequence[Pair]], statistic: Statistic, *, seed: int = 0
) -> Difference:
    """Compare one figure of two runs by the paired cluster bootstrap.

    `statistic` gives a single figure from totals and counts of `parts`, one after the other. Whole
    documents are drawn, and both runs are computed over the same draw, so what makes a document
    hard for both cancels out. The interval is that of `Bootstrap`; the p-value is that of a
    t test with the bootstrap's standard error on documents - 1 degrees of freedom (Efron and
    Tibshirani 1993, An Introduction to the Bootstrap, ch. 12), which, unlike a count of draws,
    can be small enough to bear Holm's correction. Pairs with an unknown side are left out.
    """
    columns, documents = _columns(parts)
    clusters = len(set(documents))
    if not clusters:
        return UNDEFINED

    def both(totals: Array) -> Array:
        half = totals.shape[-1] // 2
        first, second = statistic(totals[..., :half]), statistic(totals[..., half:])
        return np.concatenate([first, second, second - first], axis=-1)

    found = cluster_bootstrap(columns, documents, both, seed=seed)
    if np.isnan(found.value).any():
        return UNDEFINED
    first, second, difference = map(float, found.value)
    p_value = _p_value(difference, float(found.standard_errors()[2]), clusters)
    return Difference(first, second, found.intervals()[2], p_value, clusters)


def _columns(parts: Sequence[Sequence[Pair]]) -> tuple[Array, list[str]]:
    """Lay totals and counts of each part side by side: the first run's, then the second's.

    Rows are in the order of what they hold, so that the order of the queries does not matter.
    """
    placed = [(place, pair) for place, part in enumerate(parts) for pair in part if pair.known]
    place = np.fromiter((place for place, _ in placed), np.intp, len(placed))
    first = np.fromiter((pair.first for _, pair in placed), np.float64, len(placed))
    second = np.fromiter((pair.second for _, pair in placed), np.float64, len(placed))
    documents = [pair.document for _, pair in placed]
    order = np.lexsort((second, first, place, numbered(documents)))
    rows, at, width = np.arange(len(placed)), 2 * place[order], 2 * len(parts)
    columns = np.zeros((len(placed), 2 * width))
    columns[rows, at], columns[rows, at + 1] = first[order], 1
    columns[rows, width + at], columns[rows, width + at + 1] = second[order], 1
    return columns, [documents[row] for row in order]


def _p_value(difference: float, error: float, clusters: int) -> float | None:
    if difference == 0:
        return 1.0
    if error == 0 or clusters < 2:
        return None
    return float(2 * t.sf(abs(difference) / error, clusters - 1))
