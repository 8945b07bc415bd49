"""Figures of labels: Cohen's kappa, F1, and ratios corrected for the judge's mistakes."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from uaeval.evaluation.statistics.composites import Observation
from uaeval.evaluation.statistics.intervals import Interval, Z, effective_size
from uaeval.evaluation.statistics.statistic import Array


def kappa(
    first: Sequence[str], second: Sequence[str], weights: Sequence[float] | None = None
) -> float:
    """Return Cohen's kappa; the labels may not be all alike."""
    table = _table(sorted({*first, *second}), first, second, weights)
    table = table / table.sum()
    by_chance = float(table.sum(axis=1) @ table.sum(axis=0))
    return (float(table.trace()) - by_chance) / (1 - by_chance)


def mean_f1(
    truth: Sequence[str], predicted: Sequence[str], labels: Sequence[str], weights: Sequence[float]
) -> float:
    """Return the mean F1 of `labels`; a label that neither list holds counts as 0."""
    names = sorted({*truth, *predicted, *labels})
    table = _table(names, truth, predicted, weights)
    hits, sizes = table.diagonal(), table.sum(axis=0) + table.sum(axis=1)
    f1 = 2 * hits / np.where(sizes, sizes, 1)
    return float(f1[[names.index(label) for label in labels]].mean())


def _table(
    names: Sequence[str],
    first: Sequence[str],
    second: Sequence[str],
    weights: Sequence[float] | None,
) -> Array:
    """Return the weight of each pair of labels, by the first list's and the second's label."""
    place = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(names), len(names)))
    cells = [place[name] for name in first], [place[name] for name in second]
    np.add.at(table, cells, 1.0 if weights is None else np.asarray(weights))
    return table


LEAST_SKILL = 1.1
"""Where sensitivity + specificity is not above it, the judge tells too little to correct by."""


class ProportionEstimate(NamedTuple):
    """A proportion and the number of independent items that it is worth."""

    value: float
    size: float


class CorrectedRatio(NamedTuple):
    """A corrected ratio with its 95 % interval."""

    value: float
    interval: Interval


def weighted_share(seen: Sequence[Observation]) -> ProportionEstimate | None:
    """Return the weighted share of `seen` that count; `None` if there are none.

    The outcomes must be known.
    """
    if not seen:
        return None
    outcomes, weights = [bool(each.outcome) for each in seen], [each.weight for each in seen]
    value = math.fsum(each.weight for each in seen if each.outcome) / math.fsum(weights)
    size = effective_size(outcomes, [each.document for each in seen], weights)
    return ProportionEstimate(value, size)


def rogan_gladen(
    raw: ProportionEstimate, sensitivity: ProportionEstimate, specificity: ProportionEstimate
) -> CorrectedRatio | None:
    """Return `(raw + Sp - 1) / (Se + Sp - 1)`, clipped to [0, 1]; `None` without enough skill.

    Rogan and Gladen (1978), American Journal of Epidemiology 107, 71-76. The interval is that of
    Lang and Reiczigel (2014), Preventive Veterinary Medicine 113, 13-22, which lets sensitivity
    and specificity be uncertain too and moves all three off their ends; here on effective sizes,
    as items are clustered and weighted. Both are `None` when Se + Sp <= 1.1.
    """
    skill = sensitivity.value + specificity.value - 1
    if skill <= LEAST_SKILL - 1 + 1e-12:
        return None
    value = min(1.0, max(0.0, (raw.value + specificity.value - 1) / skill))
    low, high = _lang_reiczigel(
        _moved(raw, Z**2), _moved(sensitivity, 2.0), _moved(specificity, 2.0)
    )
    return CorrectedRatio(value, Interval(min(low, value), max(high, value)))


def _moved(share: ProportionEstimate, added: float) -> ProportionEstimate:
    """Add so many imagined items, half of which count."""
    size = share.size + added
    return ProportionEstimate((share.value * share.size + added / 2) / size, size)


def _lang_reiczigel(
    raw: ProportionEstimate, sensitivity: ProportionEstimate, specificity: ProportionEstimate
) -> Interval:
    skill = sensitivity.value + specificity.value - 1
    if skill <= 0:
        return Interval(0.0, 1.0)
    centre = (raw.value + specificity.value - 1) / skill
    of_raw, of_sensitivity, of_specificity = (
        share.value * (1 - share.value) / share.size for share in (raw, sensitivity, specificity)
    )
    shift = 2 * Z**2 * (centre * of_sensitivity - (1 - centre) * of_specificity)
    variance = of_raw + (1 - centre) ** 2 * of_specificity + centre**2 * of_sensitivity
    half = Z * math.sqrt(variance) / skill
    low, high = np.clip([centre + shift - half, centre + shift + half], 0.0, 1.0).tolist()
    return Interval(low, high)
