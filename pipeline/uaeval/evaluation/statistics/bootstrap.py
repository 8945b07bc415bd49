"""The bootstrap over source documents, for figures that are functions of totals and counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final

import numpy as np

from uaeval.evaluation.statistics.intervals import Interval, Z, numbered
from uaeval.evaluation.statistics.significance import t_quantile
from uaeval.evaluation.statistics.statistic import Array, Statistic

normal_cdf: Final = np.vectorize(NormalDist().cdf, otypes=[np.float64])
normal_quantile: Final = np.vectorize(NormalDist().inv_cdf, otypes=[np.float64])
RESAMPLES: Final = 2000
_BLOCK: Final = 250_000
"""Numbers drawn at a time, which limits the memory."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Figures of a sample, of bootstrap samples and without each cluster; NaN if undefined."""

    value: Array
    """Shape (figures,)."""
    drawn: Array
    """Shape (samples, figures)."""
    left_out: Array
    """Shape (clusters, figures)."""

    def intervals(self) -> tuple[Interval, ...]:
        """Return the BCa interval of each figure, expanded for few clusters; it contains the value.

        Efron (1987), JASA 82, 171-185: percentiles corrected for bias and, by the jackknife, for
        skew. The quantile of the normal distribution is replaced by `sqrt(m / (m - 1))` times that
        of t on m - 1 degrees of freedom for m clusters, without which percentile intervals are too
        narrow (Hesterberg 2015, The American Statistician 69, 371-386).
        """
        count, quantile = len(self.left_out), Z
        if count > 1:  # one cluster has no spread to widen
            quantile = float(np.sqrt(count / (count - 1)) * t_quantile(count - 1))
        bias, acceleration = self._bias(), self._acceleration()
        # The divisor is at least .1: the acceleration is at most 1/6, and less for few clusters.
        tails = [
            normal_cdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
            for z in (-quantile, quantile)
        ]
        return tuple(
            Interval(min(float(low), value), max(float(high), value))
            for column, value, *ends in zip(self.drawn.T, self.value.tolist(), *tails, strict=True)
            for low, high in [np.nanquantile(column, ends)]
        )

    def _bias(self) -> Array:
        """Return how far the samples' median is from the value, in normal quantiles."""
        known = np.maximum(1, (~np.isnan(self.drawn)).sum(axis=0))
        below = (self.drawn < self.value).sum(axis=0) + (self.drawn == self.value).sum(axis=0) / 2
        return np.asarray(normal_quantile(np.clip(below / known, 1 / RESAMPLES, 1 - 1 / RESAMPLES)))

    def _acceleration(self) -> Array:
        """Return the acceleration of BCa by the jackknife; 0 if it is undefined."""
        change = self.left_out.mean(axis=0) - self.left_out
        with np.errstate(invalid="ignore", divide="ignore"):
            skew = (change**3).sum(axis=0) / (6 * (change**2).sum(axis=0) ** 1.5)
        return np.where(np.isfinite(skew), skew, 0.0)


def cluster_bootstrap(columns: Array, clusters: Sequence[str], statistic: Statistic) -> Bootstrap:
    """Draw clusters with replacement and compute `statistic` over the sums of `columns`.

    Davison and Hinkley (1997), Bootstrap Methods and their Application, ch. 3.8. The rows are
    summed by cluster, in the order of the clusters' names, so their order does not matter.
    """
    index = numbered(clusters)
    count = index.max() + 1
    sums = np.zeros((count, columns.shape[1]))
    np.add.at(sums, index, columns)
    total = sums.sum(axis=0)
    value = statistic(total)
    drawn = np.empty((RESAMPLES, len(value)))
    generator, shares = np.random.default_rng(0), np.full(count, 1 / count)
    size = max(1, _BLOCK // count)
    for start in range(0, RESAMPLES, size):
        block = drawn[start : start + size]
        weights = generator.multinomial(count, shares, size=len(block)).astype(np.float64)
        block[:] = statistic(weights @ sums)
    return Bootstrap(value=value, drawn=drawn, left_out=statistic(total - sums))


def part_columns(parts: Sequence[Sequence[tuple[Any, ...]]]) -> tuple[Array, list[str]]:
    """Return totals and counts of the parts as columns (run by run), and the document of each row.

    Each row of a part is a document and its value in each run. The rows are sorted, so that the
    order of the queries does not matter.
    """
    rows = sorted((row[0], number, *row[1:]) for number, part in enumerate(parts) for row in part)
    if not rows:
        return np.zeros((0, 0)), []
    values = np.asarray([row[2:] for row in rows], dtype=np.float64)
    columns = np.zeros((*values.shape, len(parts), 2))
    part_index = np.asarray([row[1] for row in rows])
    columns[np.arange(len(rows)), :, part_index] = np.stack([values, np.ones_like(values)], axis=-1)
    return columns.reshape(len(rows), -1), [row[0] for row in rows]
