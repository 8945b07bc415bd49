"""Cohen's kappa and F1 of labels, and ratios corrected for the mistakes of a judge."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from uaeval.evaluation.statistics.intervals import Interval, ProportionEstimate, Z
from uaeval.evaluation.statistics.statistic import Array

LEAST_SKILL = 1.1
"""Sensitivity + specificity must be greater than this for a correction."""


def kappa(
    first: Sequence[str], second: Sequence[str], weights: Sequence[float] | None = None
) -> float:
    """Return Cohen's kappa; the lists must have at least two different labels."""
    _, table = _table(first, second, weights)
    table = table / table.sum()
    by_chance = float(table.sum(axis=1) @ table.sum(axis=0))
    return (float(table.trace()) - by_chance) / (1 - by_chance)


def mean_f1(
    truth: Sequence[str], predicted: Sequence[str], labels: Sequence[str], weights: Sequence[float]
) -> float:
    """Return the mean F1 of `labels`, each of which occurs in one of the lists."""
    names, table = _table(truth, predicted, weights)
    f1 = 2 * table.diagonal() / (table.sum(axis=0) + table.sum(axis=1))
    return float(f1[[names.index(label) for label in labels]].mean())


def _table(
    first: Sequence[str], second: Sequence[str], weights: Sequence[float] | None
) -> tuple[list[str], Array]:
    """Return the labels, and the weight of each pair: rows by first label, columns by second."""
    names, index = np.unique([first, second], return_inverse=True)
    table = np.zeros((len(names), len(names)))
    np.add.at(table, tuple(index.reshape(2, -1)), 1.0 if weights is None else weights)
    return names.tolist(), table


class CorrectedRatio(NamedTuple):
    """A corrected ratio with its 95 % interval."""

    value: float
    interval: Interval


def rogan_gladen(
    raw: ProportionEstimate, sensitivity: ProportionEstimate, specificity: ProportionEstimate
) -> CorrectedRatio | None:
    """Return `(raw + Sp - 1) / (Se + Sp - 1)`, clipped to [0, 1]; `None` if Se + Sp <= 1.1.

    Rogan and Gladen (1978), American Journal of Epidemiology 107, 71-76. The interval is that of
    Lang and Reiczigel (2014), Preventive Veterinary Medicine 113, 13-22, which allows for the
    uncertainty of sensitivity and specificity, and shrinks all three towards 1/2. It uses effective
    sample sizes, because items are clustered and weighted.
    """
    skill = sensitivity.value + specificity.value - 1
    if skill <= LEAST_SKILL - 1 + 1e-12:
        return None
    value = min(1.0, max(0.0, (raw.value + specificity.value - 1) / skill))
    shrunk = _shrunk(raw, Z**2), _shrunk(sensitivity, 2.0), _shrunk(specificity, 2.0)
    low, high = _lang_reiczigel(*shrunk)
    return CorrectedRatio(value, Interval(min(low, value), max(high, value)))


def _shrunk(share: ProportionEstimate, added: float) -> ProportionEstimate:
    """Return the proportion after adding `added` items, half of which count."""
    size = share.size + added
    return ProportionEstimate((share.value * share.size + added / 2) / size, size)


def _lang_reiczigel(
    raw: ProportionEstimate, sensitivity: ProportionEstimate, specificity: ProportionEstimate
) -> tuple[float, float]:
    skill = sensitivity.value + specificity.value - 1
    if skill <= 0:
        return 0.0, 1.0
    centre = (raw.value + specificity.value - 1) / skill
    of_raw, of_sensitivity, of_specificity = (
        share.value * (1 - share.value) / share.size for share in (raw, sensitivity, specificity)
    )
    shift = 2 * Z**2 * (centre * of_sensitivity - (1 - centre) * of_specificity)
    variance = of_raw + (1 - centre) ** 2 * of_specificity + centre**2 * of_sensitivity
    half = Z * math.sqrt(variance) / skill
    low, high = np.clip([centre + shift - half, centre + shift + half], 0.0, 1.0).tolist()
    return low, high
