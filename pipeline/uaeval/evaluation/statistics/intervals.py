"""Proportions of items that are clustered by source document, and 95 % intervals."""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Z: Final = NormalDist().inv_cdf(0.975)
"""The normal quantile of 95 % intervals."""
RELIABLE_CLUSTERS: Final = 20
"""Fewest source documents of a reliable interval."""


class Interval(NamedTuple):
    """Both ends of a 95 % interval."""

    low: float
    high: float

    def is_reliable(self, clusters: int) -> bool:
        """Return whether there are enough documents, and they do not all agree."""
        return clusters >= RELIABLE_CLUSTERS and self.low < self.high


class Observation(NamedTuple):
    """Whether one item counts, or its score in [0, 1]; the outcome is `None` if it is unknown."""

    document: str
    outcome: float | None
    undecided: bool = False
    """Whether an unknown outcome is undecided; otherwise it is an error."""
    weight: float = 1.0
    """How many items it represents in a sample; the bootstrap over documents ignores weights."""


class ProportionEstimate(NamedTuple):
    """A proportion and its effective sample size."""

    value: float
    size: float


def weighted_share(observations: Sequence[Observation]) -> ProportionEstimate | None:
    """Return the weighted share of observations that count, all known; `None` if there are none."""
    if not observations:
        return None
    weights = [row.weight for row in observations]
    value = math.fsum(row.weight for row in observations if row.outcome) / math.fsum(weights)
    outcomes = [bool(row.outcome) for row in observations]
    size = effective_size(outcomes, [row.document for row in observations], weights)
    return ProportionEstimate(value, size)


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


def numbered(clusters: Sequence[str]) -> NDArray[np.intp]:
    """Return the index of each row's cluster among the sorted names of the clusters."""
    return np.unique(np.asarray(clusters, dtype=object), return_inverse=True)[1].astype(np.intp)
