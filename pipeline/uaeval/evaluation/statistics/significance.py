"""p-values: of the t distribution, of exact tests, and corrected for many tests."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from uaeval.evaluation.statistics.intervals import Z

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
    by m - i + 1, raised to the largest adjusted value below it, and limited to 1. A p-value that is
    not a number in [0, 1] raises `ValueError`.
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


def t_p_value(statistic: float, degrees: int) -> float:
    """Return the two-sided p-value of a t statistic, with an absolute error below 1e-13.

    Abramowitz and Stegun (1972), Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    angle = math.atan2(abs(statistic), math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    steps = np.arange(1 + odd, degrees - 2, 2)
    first = cosine if odd else 1.0
    terms = first * np.cumprod([1.0, *(cosine**2 * steps / (steps + 1))])
    inside = sine * float(terms.sum()) if degrees > 1 else 0.0
    return max(0.0, 1 - ((angle + inside) * 2 / math.pi if odd else inside))


@lru_cache(maxsize=1024)
def t_quantile(degrees: int) -> float:
    """Return the t quantile of 95 % intervals, found by bisection."""
    low, high = Z, 13.0  # the quantile of one degree of freedom is 12.7
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if t_p_value(middle, degrees) > 0.05 else (low, middle)
    return high
