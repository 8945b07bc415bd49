"""Test the differences between two runs over the queries that were judged in both."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from uaeval.evaluation.statistics import intervals
from uaeval.evaluation.statistics.statistic import Array, Statistic


class Pair(NamedTuple):
    """The outcome or score of one query in two runs; `None` if it is unknown."""

    document: str
    first: float | None
    second: float | None

    @property
    def known(self) -> bool:
        """Whether the query was judged in both runs."""
        return self.first is not None and self.second is not None


class Difference(NamedTuple):
    """A figure in two runs over the same queries; `None` if it is undefined."""

    first: float | None
    second: float | None
    interval: intervals.Interval | None
    """95 % interval of second minus first."""
    p_value: float | None
    """Two-sided p-value of the hypothesis that the figures are equal."""
    clusters: int
    """Documents behind it; where it has several parts, behind the part with the fewest."""


UNDEFINED = Difference(None, None, None, None, 0)


def paired_difference(parts: Sequence[Sequence[Pair]], statistic: Statistic) -> Difference:
    """Compare one figure of two runs by the paired cluster bootstrap.

    `statistic` computes one figure from totals and counts of `parts`. Documents are drawn, and both
    runs are computed over the same draw, so the difficulty of a document cancels out. The interval
    is that of `Bootstrap`. The p-value is that of a t test with the bootstrap's standard error on
    documents - 1 degrees of freedom (Efron and Tibshirani 1993, An Introduction to the Bootstrap,
    ch. 12); unlike a share of draws, it can be small enough for Holm's correction. Pairs with an
    unknown value are left out.
    """
    known = [[pair for pair in part if pair.known] for part in parts]
    columns, documents = intervals.part_columns(known)
    clusters = len(set(documents))
    if not clusters:
        return UNDEFINED

    def both(totals: Array) -> Array:
        half = totals.shape[-1] // 2
        first, second = statistic(totals[..., :half]), statistic(totals[..., half:])
        return np.concatenate([first, second, second - first], axis=-1)

    bootstrap = intervals.cluster_bootstrap(columns, documents, both)
    if np.isnan(bootstrap.value).any():
        return UNDEFINED
    first, second, difference = map(float, bootstrap.value)
    error = float(np.nanstd(bootstrap.drawn[:, 2], ddof=1))
    p_value = 1.0 if difference == 0 else None
    if difference and error and clusters > 1:
        p_value = intervals.t_p_value(difference / error, clusters - 1)
    fewest = min(len({pair.document for pair in part}) for part in known if part)
    return Difference(first, second, bootstrap.intervals()[2], p_value, fewest)


_BITS: Final = 256
"""Bits of a sum of binomials that are kept; the lower bits do not change the p-value."""
LEVEL = 0.05
"""Significance level of a corrected p-value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """McNemar's test of one yes-or-no outcome in two runs."""

    pairs: int
    both: int
    """Pairs with the outcome yes in both runs."""
    only_first: int
    only_second: int
    p_value: float | None
    """Two-sided p-value; `None` without pairs, 1 if no pair differs."""


def mcnemar(pairs: Sequence[tuple[bool, bool]]) -> McNemar:
    """Compare pairs of outcomes (first run, second run) by the exact McNemar test.

    McNemar (1947), Psychometrika 12, 153-157: without a difference, each discordant pair favours
    either run with probability 1/2. The test assumes independent pairs, so its p-value is too small
    if queries of one document have similar outcomes; `paired_difference` allows for that.
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
    """Return the p-values adjusted for multiple tests, in the given order.

    Holm (1979), Scandinavian Journal of Statistics 6, 65-70: the i-th smallest of m is multiplied
    by m - i + 1, raised to the largest adjusted value below it, and limited to 1.

    Raises:
        ValueError: a p-value is not a number in [0, 1].
    """
    values = np.asarray(p_values, dtype=np.float64)
    if not np.all((values >= 0) & (values <= 1)):
        raise ValueError(f"p-values should be in [0, 1], got {list(p_values)}")
    order = np.argsort(values, kind="stable")
    factors = np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(values[order] * factors))
    return tuple(float(value) for value in adjusted)


def sign_test(first: int, second: int) -> float:
    """Return the exact two-sided p-value that `first` and `second` are equally likely."""
    count, dropped = first + second, 0
    term = tail = 1
    for smaller in range(1, min(first, second) + 1):
        term = term * (count - smaller + 1) // smaller
        tail += term
        if tail.bit_length() > 2 * _BITS:  # a float has 53 bits
            term, tail, dropped = term >> _BITS, tail >> _BITS, dropped + _BITS
    return min(1.0, float(2 * tail / 2 ** (count - dropped)))
