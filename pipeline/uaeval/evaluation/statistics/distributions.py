"""The normal, t and sign-test figures that intervals and tests need."""

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import numpy as np

_NORMAL: Final = NormalDist()
Z: Final = _NORMAL.inv_cdf(0.975)
"""The normal quantile of 95 % intervals."""
normal_cdf: Final = np.vectorize(_NORMAL.cdf, otypes=[np.float64])
normal_quantile: Final = np.vectorize(_NORMAL.inv_cdf, otypes=[np.float64])


def t_p_value(statistic: float, degrees: int) -> float:
    """Return the two-sided p-value of a t statistic; it is exact to 1e-13, not relative to itself.

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
    low, high = Z, 13.0  # that of one degree of freedom is 12.7
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if t_p_value(middle, degrees) > 0.05 else (low, middle)
    return high


def sign_test(first: int, second: int) -> float:
    """Return the exact two-sided p-value that `first` and `second` are equally likely."""
    count = first + second
    tail = sum(math.comb(count, few) for few in range(min(first, second) + 1))
    return min(1.0, float(2 * tail / 2**count))
