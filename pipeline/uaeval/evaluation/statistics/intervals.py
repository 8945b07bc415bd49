"""95 % intervals for figures whose items come in clusters (the source documents)."""

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
RELIABLE_CLUSTERS = 20
"""Fewer documents than this do not show how figures differ from document to document."""

RESAMPLES = 2000
_BLOCK = 250_000  # numbers drawn at a time, so that memory stays flat for any knowledge base


class Interval(NamedTuple):
    """Both ends of a 95 % interval."""

    low: float
    high: float

    def is_reliable(self, clusters: int) -> bool:
        """Return whether it rests on enough documents, and these do not all agree.

        Where they all agree, resampling them shows nothing, however many they are.
        """
        return clusters >= RELIABLE_CLUSTERS and self.low < self.high


def wilson(share: float, n: float) -> Interval:
    """Return the score interval of a proportion over `n` independent items.

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
    """Return how many independent items carry as much as these: n / design effect.

    The variance of the (weighted) share is that of Taylor linearisation over clusters, against the
    one under simple random sampling (Kish 1965, Survey Sampling, ch. 5 and 8.2). It is never more
    than `sum(w)^2 / sum(w^2)` (n without weights). Where it cannot be estimated (one cluster, or
    all outcomes alike) clusters are taken as wholly alike within: `sum(w)^2 / sum(W^2)` over the
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
    """Figures of a sample, of bootstrap samples of whole clusters, and with each cluster left out.

    A figure that is undefined is NaN.
    """

    value: Array
    """Shape (figures,)."""
    drawn: Array
    """Shape (samples, figures)."""
    left_out: Array
    """Shape (clusters, figures)."""

    def intervals(self) -> tuple[Interval, ...]:
        """Return the BCa interval of each figure, expanded for few clusters; it holds the value.

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
        """Return how far, in normal quantiles, the median of the samples is from the value."""
        known = np.maximum(1, (~np.isnan(self.drawn)).sum(axis=0))
        below = (self.drawn < self.value).sum(axis=0) + (self.drawn == self.value).sum(axis=0) / 2
        return np.asarray(normal_quantile(np.clip(below / known, 1 / RESAMPLES, 1 - 1 / RESAMPLES)))

    def _acceleration(self) -> Array:
        """Return how skewed the figures are; 0 where leaving clusters out tells nothing."""
        change = self.left_out.mean(axis=0) - self.left_out
        with np.errstate(invalid="ignore", divide="ignore"):
            skew = (change**3).sum(axis=0) / (6 * (change**2).sum(axis=0) ** 1.5)
        return np.where(np.isfinite(skew), skew, 0.0)


def cluster_bootstrap(
    columns: Array, clusters: Sequence[str], statistic: Statistic, *, seed: int = 0
) -> Bootstrap:
    """Draw whole clusters with replacement and compute `statistic` over the sums of `columns`.

    Davison and Hinkley (1997), Bootstrap Methods and their Application, ch. 3.8. Rows are summed by
    cluster, in the order of the clusters' names, so the order of the rows does not matter.
    """
    index = numbered(clusters)
    sums = np.zeros((index.max() + 1, columns.shape[1]))
    np.add.at(sums, index, columns)
    total = sums.sum(axis=0)
    value = statistic(total)
    return Bootstrap(
        value=value,
        drawn=_drawn(sums, statistic, len(value), seed),
        left_out=statistic(total - sums),
    )


def part_columns(parts: Sequence[Sequence[tuple[Any, ...]]]) -> tuple[Array, list[str]]:
    """Lay totals and counts of each part side by side, those of a further run behind the first's.

    A row of a part is a document, and its value in each run. Returns the columns, and the document
    of each row. Rows are in the order of what they hold, so that the order of the queries does not
    matter.
    """
    rows = sorted((row[0], place, *row[1:]) for place, part in enumerate(parts) for row in part)
    if not rows:
        return np.zeros((0, 0)), []
    values = np.asarray([row[2:] for row in rows], dtype=np.float64)
    columns = np.zeros((*values.shape, len(parts), 2))
    place = np.asarray([row[1] for row in rows])
    columns[np.arange(len(rows)), :, place] = np.stack([values, np.ones_like(values)], axis=-1)
    return columns.reshape(len(rows), -1), [row[0] for row in rows]


def _drawn(sums: Array, statistic: Statistic, figures: int, seed: int) -> Array:
    generator = np.random.default_rng(seed)
    count = len(sums)
    shares = np.full(count, 1 / count)
    figures_of = np.empty((RESAMPLES, figures))
    rows = min(RESAMPLES, max(1, _BLOCK // count))
    for start in range(0, RESAMPLES, rows):
        block = figures_of[start : start + rows]
        weights = generator.multinomial(count, shares, size=len(block)).astype(np.float64)
        block[:] = statistic(weights @ sums)
    return figures_of


def numbered(clusters: Sequence[str]) -> NDArray[np.intp]:
    """Return the place of each row's cluster among the clusters' names in order, from 0."""
    return np.unique(np.asarray(clusters, dtype=object), return_inverse=True)[1].astype(np.intp)


def t_p_value(statistic: float, degrees: int) -> float:
    """Return the two-sided p-value of a t statistic; it is exact to 1e-13, not relative to itself.

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
    low, high = Z, 13.0  # that of one degree of freedom is 12.7
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if t_p_value(middle, degrees) > 0.05 else (low, middle)
    return high
