"""Cohen's kappa and F1 of two lists of labels of the same items, each item with a weight."""

from collections.abc import Sequence

import numpy as np

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
