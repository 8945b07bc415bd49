"""Search every passage: by the cosine similarity of vectors, and by words (BM25).

Both searches read memory-mapped files. A passage is represented by its number in the order of ids.
"""

import mmap
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import bm25s
import numpy as np
from numpy.typing import NDArray

from uaeval.knowledge.embedding import Vectors
from uaeval.text.words import stem, tokens

Numbers = NDArray[np.intp]

_COARSE, _STEPS, _ROWS = "coarse.npy", "steps.npy", "rows.npy"
_PAGE: Final = 1_000
_AT_ONCE: Final = 32_768
"""Number of vectors that are compared at once, so that what is read of them stays in the cache."""
_DIGITS, _WORD_DIGITS = 6, 4
"""Similarities and BM25 scores are rounded to this many digits, so that equal passages tie."""
_SLACK: Final = 1e-4
"""An upper bound of the rounding error of single precision."""
_BLOCK: Final = 64
"""Number of values in a block; `nth_largest` examines the largest value of each block first."""
FILES: Final = f"2 bm25s {bm25s.__version__}"
"""Version of the files; files of another version are written again."""


class VectorSearch:
    """Finds passages by the cosine similarity of their vectors, of length 1, with that of a query.

    All vectors are first compared in a precision of one byte, then those that may be hits in double
    precision. So a similarity depends neither on the order of the vectors nor on other searches.
    NumPy's `@` is not used, because it distributes work over all cores and waits for busy ones.
    """

    def __init__(self, vectors: Vectors, folder: Path) -> None:
        """Open the files that `write` wrote for these vectors, which may be mapped from a file."""
        self._exact = vectors
        self._coarse = np.asarray(np.load(folder / _COARSE, mmap_mode="r"))
        """One row per dimension; a search reads only those where the query is not 0, often few."""
        self._steps = np.load(folder / _STEPS)
        self._rows: Numbers = np.load(folder / _ROWS)
        self._order = np.argsort(self._rows, kind="stable")
        self._starts = np.searchsorted(self._rows[self._order], np.arange(len(self._exact) + 1))

    @staticmethod
    def write(vectors: Vectors, rows: Sequence[int], folder: Path) -> None:
        """Write the files of these vectors; `rows` has the row of each passage's vector."""
        pages = [slice(start, start + _PAGE) for start in range(0, len(vectors), _PAGE)]
        largest = np.max([np.abs(vectors[page]).max(axis=0) for page in pages], axis=0)
        steps = np.where(largest > 0, largest, 1) / np.float32(np.iinfo(np.int8).max)
        coarse = np.empty(vectors.T.shape, np.int8)  # a mapped file would crash on a full disk
        for page in pages:
            coarse[:, page] = np.rint(vectors[page] / steps).T
        np.save(folder / _COARSE, coarse)
        np.save(folder / _STEPS, steps)
        np.save(folder / _ROWS, np.array(rows, dtype=np.intp))

    def search(self, query: Vectors, n: int) -> dict[int, float]:
        """Return at most `n` numbers of passages with their similarity to `query`, best first.

        Equal similarities are sorted by number. Vectors as similar as the first excluded one are
        excluded too, because their order is arbitrary, unless all vectors are equally similar.
        """
        used = np.flatnonzero(query)
        weights = query * self._steps
        read = used if len(used) < len(query) / 2 else slice(None)
        starts = range(0, self._coarse.shape[1], _AT_ONCE)
        parts = (self._coarse[read, start : start + _AT_ONCE] for start in starts)
        rough = np.concatenate([np.einsum("i,ij->j", weights[read], part) for part in parts])
        max_error = np.abs(weights).sum() / 2 + _SLACK
        rows = np.flatnonzero(rough >= nth_largest(rough, n + 1) - 2 * max_error)
        values = self._similarities(query, rows)
        excluded = nth_largest(values, n + 1)
        kept = values > excluded if excluded < values.max() else np.full(len(rows), True)
        pairs = [
            (number, value)
            for row, value in zip(rows[kept].tolist(), values[kept].tolist(), strict=True)
            for number in self._order[self._starts[row] : self._starts[row + 1]].tolist()
        ]
        return dict(sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:n])

    def similarities(self, query: Vectors, numbers: Sequence[int]) -> dict[int, float]:
        """Return the cosine similarity of `query` and the vector of each passage."""
        rows = self._rows[np.array(numbers, dtype=np.intp)]
        return dict(zip(numbers, self._similarities(query, rows).tolist(), strict=True))

    def _similarities(self, query: Vectors, rows: Numbers) -> NDArray[np.float64]:
        used = np.flatnonzero(query)
        read = np.ascontiguousarray(np.asarray(self._exact)[rows][:, used].T)
        mapped = getattr(self._exact, "_mmap", None)
        if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            mapped.madvise(mmap.MADV_DONTNEED)  # do not keep the pages in memory
        cosines: NDArray[np.float64] = np.einsum("i,ij->j", query[used], read, dtype=np.float64)
        return np.clip(np.round(cosines, _DIGITS), -1.0, 1.0)


class WordSearch:
    """Finds passages by the words that they share with a query."""

    def __init__(self, folder: Path) -> None:
        self._index = bm25s.BM25.load(folder, mmap=True, show_progress=False)

    @staticmethod
    def write(texts: Iterable[str], folder: Path) -> None:
        """Write the files for these texts."""
        numbers = {"": 0}
        number = cache(lambda word: numbers.setdefault(stem(word), len(numbers)))
        ids = [[*map(number, tokens(text))] for text in texts]
        index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
        with np.errstate(invalid="ignore"):  # the mean length is undefined if no text has words
            index.index((ids, numbers), show_progress=False)
        index.save(folder, show_progress=False)

    def search(self, text: str, n: int) -> list[int]:
        """Return at most `n` numbers of passages, best first; equal scores are sorted by number."""
        known = self._index.vocab_dict
        # In the order of the text: sums of single precision depend on it.
        numbers = [known[word] for word in map(stem, tokens(text)) if word in known]
        scores = np.round(self._index.get_scores_from_ids(numbers), _WORD_DIGITS)
        hits = np.flatnonzero((scores > 0) & (scores >= nth_largest(scores, n)))
        best: list[int] = hits[np.argsort(-scores[hits], kind="stable")][:n].tolist()
        return best


def nth_largest(values: NDArray[np.floating], n: int) -> float:
    """Return the `n`th largest value; minus infinity if there are fewer."""
    if n > len(values):
        return -np.inf
    blocks = values[: len(values) // _BLOCK * _BLOCK].reshape(-1, _BLOCK).max(axis=1)
    if n <= len(blocks):  # the nth largest value is at least the nth largest block maximum
        values = values[values >= np.partition(blocks, -n)[-n]]
    return float(np.partition(values, -n)[-n])
