"""Statistics of one or several proportions, as functions of their hits and counts.

One bootstrap over documents serves them all.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Statistic: TypeAlias = Callable[[Array], Array]
"""Maps totals of shape (..., columns) to figures of shape (..., figures); NaN is undefined."""


def rates(totals: Array) -> Array:
    """Divide each part's total by its count: proportions, or means."""
    return _divided(totals[..., 0::2], totals[..., 1::2])


def _divided(total: Array, count: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(total / count)


def macro(totals: Array) -> Array:
    """Average the parts that have anything judged, each with the same weight."""
    shares = rates(totals)
    known = ~np.isnan(shares)
    return _divided(np.where(known, shares, 0.0).sum(axis=-1), known.sum(axis=-1))[..., np.newaxis]


def precision(totals: Array) -> Array:
    """Unanswerable share of all that was abstained on; parts: recall, over-refusal."""
    return _both_sides(totals, _divided(totals[..., 0], totals[..., 0] + totals[..., 2]))


def f1(totals: Array) -> Array:
    """Harmonic mean of refusal precision and recall; parts: recall, over-refusal."""
    every = totals[..., 0] + totals[..., 1] + totals[..., 2]
    return _both_sides(totals, _divided(2 * totals[..., 0], every))


def balanced_accuracy(totals: Array) -> Array:
    """Mean of refusal recall and of the share of controls not abstained on."""
    shares = rates(totals)
    return np.asarray((shares[..., 0] + 1 - shares[..., 1]) / 2)[..., np.newaxis]


def _both_sides(totals: Array, value: Array) -> Array:
    known = (totals[..., 1] > 0) & (totals[..., 3] > 0)
    return np.asarray(np.where(known, value, np.nan))[..., np.newaxis]


def joint(first_weights: Sequence[float]) -> Statistic:
    """Return the joint score at each w1; parts: correctness, acceptable ratio."""
    first = np.asarray(first_weights)

    def statistic(totals: Array) -> Array:
        shares = rates(totals)
        return np.asarray(first * shares[..., :1] + (1 - first) * shares[..., 1:2])

    return statistic
