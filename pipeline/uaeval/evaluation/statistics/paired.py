"""Differences between two runs over the queries that both were judged on, and their tests."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from uaeval.evaluation.statistics.intervals import (
    Interval,
    cluster_bootstrap,
    part_columns,
    t_p_value,
)
from uaeval.evaluation.statistics.statistic import Array, Statistic


class Pair(NamedTuple):
    """One query under two runs; `None` is an outcome or score that could not be found out."""

    document: str
    first: float | None
    second: float | None

    @property
    def known(self) -> bool:
        """Whether both runs were judged on it."""
        return self.first is not None and self.second is not None


class Difference(NamedTuple):
    """A figure of two runs over the same queries; `None` is undefined, never a zero."""

    first: float | None
    second: float | None
    interval: Interval | None
    """Of second minus first, 95 %."""
    p_value: float | None
    """Two-sided, that the figures are the same."""
    clusters: int
    """Documents behind it; where it has several parts, behind the part with the fewest."""


UNDEFINED = Difference(None, None, None, None, 0)


def paired_difference(
    parts: Sequence[Sequence[Pair]], statistic: Statistic, *, seed: int = 0
) -> Difference:
    """Compare one figure of two runs by the paired cluster bootstrap.

    `statistic` gives a single figure from totals and counts of `parts`, one after the other. Whole
    documents are drawn, and both runs are computed over the same draw, so what makes a document
    hard for both cancels out. The interval is that of `Bootstrap`; the p-value is that of a
    t test with the bootstrap's standard error on documents - 1 degrees of freedom (Efron and
    Tibshirani 1993, An Introduction to the Bootstrap, ch. 12), which, unlike a count of draws,
    can be small enough to bear Holm's correction. Pairs with an unknown side are left out.
    """
    known = [[pair for pair in part if pair.known] for part in parts]
    columns, documents = part_columns(known)
    clusters = len(set(documents))
    if not clusters:
        return UNDEFINED

    def both(totals: Array) -> Array:
        half = totals.shape[-1] // 2
        first, second = statistic(totals[..., :half]), statistic(totals[..., half:])
        return np.concatenate([first, second, second - first], axis=-1)

    bootstrap = cluster_bootstrap(columns, documents, both, seed=seed)
    if np.isnan(bootstrap.value).any():
        return UNDEFINED
    first, second, difference = map(float, bootstrap.value)
    error = float(np.nanstd(bootstrap.drawn[:, 2], ddof=1))
    p_value = 1.0 if difference == 0 else None
    if difference and error and clusters > 1:
        p_value = t_p_value(difference / error, clusters - 1)
    fewest = min(len({pair.document for pair in part}) for part in known if part)
    return Difference(first, second, bootstrap.intervals()[2], p_value, fewest)


_BITS: Final = 256
"""Of a sum of binomials; what is below them changes no digit of a p-value."""
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
    `paired_difference` beside it.
    """
    counts = Counter(pairs)
    return McNemar(
        pairs=len(pairs),
        both=counts[True, True],
        only_first=counts[True, False],
        only_second=counts[False, True],
        p_value=sign_test(counts[True, False], counts[False, True]) if pairs else None,
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


def sign_test(first: int, second: int) -> float:
    """Return the exact two-sided p-value that `first` and `second` are equally likely."""
    count, dropped = first + second, 0
    term = tail = 1
    for few in range(1, min(first, second) + 1):
        term = term * (count - few + 1) // few
        tail += term
        if tail.bit_length() > 2 * _BITS:  # the float has 53
            term, tail, dropped = term >> _BITS, tail >> _BITS, dropped + _BITS
    return min(1.0, float(2 * tail / 2 ** (count - dropped)))
