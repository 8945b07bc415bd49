"""95 % intervals for figures of items that are clustered by source document."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from uaeval.evaluation.statistics.statistic import Array, Statistic

_NORMAL: Final = NormalDist()
Z: Final = _NORMAL.inv_cdf(0.975)
"""The normal quantile of 95 % intervals."""
normal_cdf: Final = np.vectorize(_NORMAL.cdf, otypes=[np.float64])
normal_quantile: Final = np.vectorize(_NORMAL.inv_cdf, otypes=[np.float64])
RELIABLE_CLUSTERS: Final = 20
"""Fewest source documents of a reliable interval."""
RESAMPLES = 2000
_BLOCK = 250_000  # numbers drawn at a time, which limits the memory


class Interval(NamedTuple):
    """Both ends of a 95 % interval."""

    low: float
    high: float

    def is_reliable(self, clusters: int) -> bool:
        """Return whether there are enough documents, and they do not all agree."""
        return clusters >= RELIABLE_CLUSTERS and self.low < self.high


def wilson(share: float, n: float) -> Interval:
    """Return the Wilson score interval of a proportion of `n` independent items.

    Wilson (1927), JASA 22, 209-212. `n` may be fractional: with clusters it is the effective
    sample size.
    """
    spread = Z**2 / n
    centre = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * float(np.sqrt(share * (1 - share) / n + spread / (4 * n)))
    return Interval(max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half)))


def effective_size(
    outcomes: Sequence[bool], clusters: Sequence[str], weights: Sequence[float] | None = None
) -> float:
    """Return the effective sample size n / design effect.

    The design effect is the variance of the (weighted) share by Taylor linearisation over clusters,
    divided by that of simple random sampling (Kish 1965, Survey Sampling, ch. 5 and 8.2). The size
    is at most `sum(w)^2 / sum(w^2)` (n without weights). If it cannot be estimated (one cluster, or
    equal outcomes), the items of a cluster are treated as one: `sum(w)^2 / sum(W^2)` over the
    clusters' weights W.
    """
    index = numbered(clusters)
    values = np.asarray(outcomes, dtype=np.float64)
    each = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=np.float64)
    sizes = np.bincount(index, weights=each)
    total, count = float(each.sum()), len(sizes)
    share = float((each * values).sum() / total)
    if count == 1 or values.min() == values.max():
        return float(total**2 / (sizes**2).sum())
    residuals = np.bincount(index, weights=each * values) - share * sizes
    variance = count / (count - 1) * float((residuals**2).sum()) / total**2
    most = float(total**2 / (each**2).sum())
    return min(most, share * (1 - share) / variance) if variance > 0 else most


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


def numbered(clusters: Sequence[str]) -> NDArray[np.intp]:
    """Return the index of each row's cluster among the sorted names of the clusters."""
    return np.unique(np.asarray(clusters, dtype=object), return_inverse=True)[1].astype(np.intp)


def t_p_value(statistic: float, degrees: int) -> float:
    """Return the two-sided p-value of a t statistic, with an absolute error below 1e-13.

    Abramowitz and Stegun (1972), Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    angle = math.atan2(abs(statistic), math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    steps = np.arange(1 + odd, degrees - 2, 2)
    first = cosine if odd else 1.0
    terms = first * np.cumprod([1.0, *(cosine**2 * steps / (steps + 1))])
    inside = sine * float(terms.sum()) if degrees > 1 else 0.0
    return max(0.0, 1 - ((angle + inside) * 2 / math.pi if odd else inside))


@lru_cache(maxsize=1024)
def t_quantile(degrees: int) -> float:
    """Return the t quantile of 95 % intervals, found by bisection."""
    low, high = Z, 13.0  # the quantile of one degree of freedom is 12.7
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if t_p_value(middle, degrees) > 0.05 else (low, middle)
    return high
