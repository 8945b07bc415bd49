"""Find the n-th largest of many values without sorting them."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

_BLOCK: Final = 64
"""Number of values in a block; the largest value of each block is examined first."""


def nth_largest(values: NDArray[np.floating], n: int) -> float:
    """Return the `n`th largest value; minus infinity if there are fewer."""
    if n > len(values):
        return -np.inf
    blocks = values[: len(values) // _BLOCK * _BLOCK].reshape(-1, _BLOCK).max(axis=1)
    if n <= len(blocks):  # the nth largest value is at least the nth largest block maximum
        values = values[values >= np.partition(blocks, -n)[-n]]
    return float(np.partition(values, -n)[-n])
