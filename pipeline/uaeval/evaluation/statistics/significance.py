"""Tests of differences between runs over the same queries, and the correction for many of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest

LEVEL = 0.05
"""A difference is called significant below this p-value, after correction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """How two runs differ on one yes-or-no outcome of the queries that both were judged on."""

    pairs: int
    both: int
    """Pairs in which the outcome holds for both runs."""
    only_first: int
    only_second: int
    p_value: float | None
    """Two-sided; `None` when there is no pair at all, 1 when no pair differs."""


def mcnemar(pairs: Sequence[tuple[bool, bool]]) -> McNemar:
    """Compare paired outcomes (of the first run, of the second) by the exact McNemar test.

    McNemar (1947), Psychometrika 12, 153-157, in its exact form: under no difference the pairs
    that differ fall either way with probability 1/2. It takes pairs as independent, so that
    its p-value is too small where queries of one document fall alike; a comparison has that of
    `uaeval.evaluation.statistics.paired` beside it.
    """
    only_first = sum(first and not second for first, second in pairs)
    only_second = sum(second and not first for first, second in pairs)
    differing = only_first + only_second
    p_value = float(binomtest(only_first, differing, 0.5).pvalue) if differing else 1.0
    return McNemar(
        pairs=len(pairs),
        both=sum(first and second for first, second in pairs),
        only_first=only_first,
        only_second=only_second,
        p_value=p_value if pairs else None,
    )


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return each p-value adjusted for all of them together, in the given order.

    Holm (1979), Scandinavian Journal of Statistics 6, 65-70: the i-th smallest of m is multiplied
    by m - i + 1, kept at least as large as those below it, and at most 1.

    Raises:
        ValueError: a p-value lies outside [0, 1] or is not a number.
    """
    given = np.asarray(p_values, dtype=np.float64)
    if not np.all((given >= 0) & (given <= 1)):
        raise ValueError(f"p-values lie in [0, 1], got {list(p_values)}")
    order = np.argsort(given, kind="stable")
    factors = np.arange(len(given), 0, -1)
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(given[order] * factors))
    return tuple(float(value) for value in adjusted)
