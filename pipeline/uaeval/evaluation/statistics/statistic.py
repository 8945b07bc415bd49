"""Statistics of one or several proportions, as functions of hits and counts for the bootstrap."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Statistic: TypeAlias = Callable[[Array], Array]
"""Maps totals of shape (..., columns) to figures of shape (..., figures); NaN if undefined."""


def rates(totals: Array) -> Array:
    """Return the total of each part divided by its count: proportions or means."""
    return _divided(totals[..., 0::2], totals[..., 1::2])


def _divided(total: Array, count: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(total / count)


def macro(totals: Array) -> Array:
    """Return the unweighted mean of the parts that have judged items."""
    shares = rates(totals)
    known = ~np.isnan(shares)
    return _divided(np.where(known, shares, 0.0).sum(axis=-1), known.sum(axis=-1))[..., np.newaxis]


def precision(totals: Array) -> Array:
    """Return the unanswerable share of the abstentions; parts: recall, over-refusal."""
    return _both_judged(totals, _divided(totals[..., 0], totals[..., 0] + totals[..., 2]))


def f1(totals: Array) -> Array:
    """Return the harmonic mean of refusal precision and recall; parts: recall, over-refusal."""
    denominator = totals[..., 0] + totals[..., 1] + totals[..., 2]
    return _both_judged(totals, _divided(2 * totals[..., 0], denominator))


def balanced_accuracy(totals: Array) -> Array:
    """Return the mean of refusal recall and of 1 - over-refusal; parts: recall, over-refusal."""
    shares = rates(totals)
    return np.asarray((shares[..., 0] + 1 - shares[..., 1]) / 2)[..., np.newaxis]


def _both_judged(totals: Array, value: Array) -> Array:
    known = (totals[..., 1] > 0) & (totals[..., 3] > 0)
    return np.asarray(np.where(known, value, np.nan))[..., np.newaxis]


def joint(first_weights: Sequence[float]) -> Statistic:
    """Return the joint score by weight of correctness; parts: correctness, acceptable ratio."""
    weights = np.asarray(first_weights)

    def statistic(totals: Array) -> Array:
        shares = rates(totals)
        return np.asarray(weights * shares[..., :1] + (1 - weights) * shares[..., 1:2])

    return statistic
