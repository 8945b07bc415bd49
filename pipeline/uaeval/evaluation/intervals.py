"""95 % intervals for figures whose items come in clusters (the source documents)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

RELIABLE_CLUSTERS = 20
"""Fewer documents than this do not show how figures differ from document to document."""

RESAMPLES = 2000
_BLOCK = 4_000_000  # numbers drawn at a time, so that memory stays flat for any knowledge base
_Z = float(norm.ppf(0.975))

Array: TypeAlias = NDArray[np.float64]
Statistic: TypeAlias = Callable[[Array], Array]
"""Maps totals of shape (..., columns) to figures of shape (..., figures); NaN is undefined."""


class Interval(NamedTuple):
    """Both ends of a 95 % interval."""

    low: float
    high: float


def wilson(share: float, n: float) -> Interval:
    """Return the score interval of a proportion over `n` independent items.

    Wilson (1927), JASA 22, 209-212. `n` may be fractional: with clusters it is the effective
    sample size, which is why `scipy.stats.binomtest` (whole counts only) does not serve.
    """
    spread = _Z**2 / n
    centre = (share + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * float(np.sqrt(share * (1 - share) / n + spread / (4 * n)))
    return Interval(max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half)))


def design_effect(outcomes: Sequence[bool], clusters: Sequence[str]) -> float:
    """Return how many clustered items carry as much as one independent item, at least 1.

    The variance of the share by Taylor linearisation over clusters, divided by the variance under
    simple random sampling (Kish 1965, Survey Sampling, ch. 5 and 8.2). Where it cannot be estimated
    (one cluster, or all outcomes alike) clusters are taken as wholly alike within: Kish's
    `sum(m^2) / sum(m)` over the cluster sizes m.
    """
    _, index = np.unique(np.asarray(clusters), return_inverse=True)
    values = np.asarray(outcomes, dtype=np.float64)
    sizes = np.bincount(index).astype(np.float64)
    n, share, count = len(values), float(values.mean()), len(sizes)
    if count == 1 or share in (0.0, 1.0):
        return float((sizes**2).sum() / n)
    residuals = np.bincount(index, weights=values) - share * sizes
    clustered = count / (count - 1) * float((residuals**2).sum()) / n**2
    return max(1.0, clustered / (share * (1 - share) / n))


def proportion_interval(outcomes: Sequence[bool], clusters: Sequence[str]) -> Interval:
    """Return the Wilson interval on n / design effect; `outcomes` may not be empty.

    Korn and Graubard (1998), Survey Methodology 24, 193-201, use the effective sample size alike.
    """
    effective = len(outcomes) / design_effect(outcomes, clusters)
    return wilson(sum(outcomes) / len(outcomes), effective)


def cluster_bootstrap(
    columns: Array, clusters: Sequence[str], statistic: Statistic, *, seed: int = 0
) -> tuple[Interval, ...]:
    """Return the percentile interval of each figure of `statistic` over sums of `columns`.

    Whole clusters are drawn with replacement (Davison and Hinkley 1997, Bootstrap Methods and their
    Application, ch. 3.8). Rows are summed by cluster, in the order of the clusters' names, so the
    order of the rows does not matter. Draws under which a figure is undefined are left out of it;
    the interval is widened to hold the figure itself where skew would leave it outside.
    """
    sums = _cluster_sums(columns, clusters)
    drawn = statistic(_resampled(sums, seed))
    value = statistic(sums.sum(axis=0))
    low = np.minimum(np.nanpercentile(drawn, 2.5, axis=0), value)
    high = np.maximum(np.nanpercentile(drawn, 97.5, axis=0), value)
    return tuple(Interval(float(a), float(b)) for a, b in zip(low, high, strict=True))


def _cluster_sums(columns: Array, clusters: Sequence[str]) -> Array:
    names, index = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.zeros((len(names), columns.shape[1]))
    np.add.at(sums, index, columns)
    return sums


def _resampled(sums: Array, seed: int) -> Array:
    generator = np.random.default_rng(seed)
    count = len(sums)
    shares = np.full(count, 1 / count)
    block = max(1, _BLOCK // count)
    parts = []
    for start in range(0, RESAMPLES, block):
        drawn = generator.multinomial(count, shares, size=min(block, RESAMPLES - start))
        parts.append(drawn.astype(np.float64) @ sums)
    return np.concatenate(parts)
