"""Cohen's kappa and F1 of two lists of labels of the same items, with weights."""

from collections.abc import Sequence

import numpy as np

from uaeval.evaluation.statistics.statistic import Array


def kappa(
    first: Sequence[str], second: Sequence[str], weights: Sequence[float] | None = None
) -> float:
    """Return Cohen's kappa; the lists must have at least two different labels."""
    table = _table(sorted({*first, *second}), first, second, weights)
    table = table / table.sum()
    by_chance = float(table.sum(axis=1) @ table.sum(axis=0))
    return (float(table.trace()) - by_chance) / (1 - by_chance)


def mean_f1(
    truth: Sequence[str], predicted: Sequence[str], labels: Sequence[str], weights: Sequence[float]
) -> float:
    """Return the mean F1 of `labels`; a label in neither list has F1 0."""
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
    """Return the total weight of each pair of labels: rows by first label, columns by second."""
    index = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(names), len(names)))
    cells = [index[name] for name in first], [index[name] for name in second]
    np.add.at(table, cells, 1.0 if weights is None else np.asarray(weights))
    return table
