"""Search by vectors: the exact cosine similarity to every passage."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

_DIGITS: Final = 6
"""Similarities are rounded to this many digits, so that equal passages tie in every build."""
_SLACK: Final = 1e-4
"""More than single precision can be wrong by; what is so near the last hit is looked at again."""


class VectorSearch:
    """Ids, found by how near their vectors are to that of a query; all vectors have length 1.

    Everything is looked at in single precision, and what may be among the hits again in double, so
    that neither the order of the vectors nor what else is searched for changes a digit. Numpy's
    `@` is not used: it spreads over all cores, and so waits for those that are taken.
    """

    def __init__(self, holders: Sequence[Sequence[str]], vectors: Vectors) -> None:
        """Take the vectors, one row each, and which ids have that vector."""
        self._holders = holders
        self._place = {identity: place for place, ids in enumerate(holders) for identity in ids}
        self._dimensions = np.ascontiguousarray(vectors.T)
        """One row for each dimension: of most queries few are not 0, and only these are read."""

    def search(self, query: Vectors, n: int) -> dict[str, float]:
        """Return at most `n` ids with their similarity to `query`, best first.

        Equal similarities are ordered by id. What ties with the first vector left out is left out
        too, unless all tie: such hits tell nothing.
        """
        used = np.flatnonzero(query)
        sparse = len(used) < len(query) / 2
        rough = (
            np.einsum("i,ij->j", query[used], self._dimensions[used])
            if sparse
            else np.einsum("i,ij->j", query, self._dimensions)
        )
        places = np.flatnonzero(rough >= _nth(rough, n + 1) - _SLACK)
        values = self._similarities(query, places)
        first_out = _nth(values, n + 1)
        pairs = [
            (identity, value)
            for place, value in zip(places.tolist(), values.tolist(), strict=True)
            if value > first_out or first_out == values.max()
            for identity in self._holders[place]
        ]
        return dict(sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:n])

    def similarities(self, query: Vectors, ids: Sequence[str]) -> dict[str, float]:
        """Return the cosine similarity of `query` and the vector of each id."""
        places = np.array([self._place[identity] for identity in ids], dtype=np.intp)
        return dict(zip(ids, self._similarities(query, places).tolist(), strict=True))

    def _similarities(self, query: Vectors, places: NDArray[np.intp]) -> NDArray[np.float64]:
        used = np.flatnonzero(query)
        found: NDArray[np.float64] = np.einsum(
            "i,ij->j", query[used], self._dimensions[np.ix_(used, places)], dtype=np.float64
        )
        return np.clip(np.round(found, _DIGITS), -1.0, 1.0)


def _nth(values: NDArray[np.floating], n: int) -> float:
    """Return the `n`th largest value; minus infinity if there are fewer."""
    return float(np.partition(values, -n)[-n]) if n <= len(values) else -np.inf
