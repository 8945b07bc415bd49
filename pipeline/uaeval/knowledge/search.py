"""Search by words and by vectors, both exact: BM25 and cosine similarity over every passage.

Both read files that are mapped into memory, and name a passage by its place in the order of ids.
"""

import mmap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import bm25s
import numpy as np
from numpy.typing import NDArray

from uaeval.knowledge.embedding import Vectors
from uaeval.text.words import stem, tokens

Places = NDArray[np.intp]

FILES: Final = f"2 bm25s {bm25s.__version__}"
"""Version of the files; those of another one are made anew."""
_COARSE, _STEPS, _ROWS = "coarse.npy", "steps.npy", "rows.npy"
_PAGE: Final = 1_000
_LARGEST: Final = 127
"""Of one byte with a sign."""
_BLOCK: Final = 64
"""Values of which only the largest is looked at first."""
_SCORE_DIGITS: Final = 4
_DIGITS: Final = 6
"""Similarities are rounded to this many digits, so that equal passages tie in every build."""
_SLACK: Final = 1e-4
"""More than single precision can be wrong by."""


class WordSearch:
    """Passages, found by the words that they share with a query."""

    def __init__(self, folder: Path) -> None:
        """Open the files that `write` wrote."""
        self._index = bm25s.BM25.load(folder, mmap=True, show_progress=False)

    @staticmethod
    def write(texts: Iterable[str], folder: Path) -> None:
        """Write the files for these texts."""
        stems = _Stems()
        ids = [[stems[word] for word in tokens(text)] for text in texts]
        index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
        with np.errstate(invalid="ignore"):  # the mean length, if no text has a word
            index.index((ids, stems.numbers), show_progress=False)
        index.save(folder, show_progress=False)

    def search(self, text: str, n: int) -> list[int]:
        """Return at most `n` places, best first; equal scores are ordered by place."""
        known = [word for word in map(stem, tokens(text)) if word in self._index.vocab_dict]
        if not known:
            return []
        scores = np.round(self._index.get_scores(known), _SCORE_DIGITS)
        found = np.flatnonzero((scores > 0) & (scores >= _nth(scores, n)))
        best: list[int] = found[np.argsort(-scores[found], kind="stable")][:n].tolist()
        return best


class _Stems(dict[str, int]):
    """The number of each word's stem."""

    def __init__(self) -> None:
        self.numbers = {"": 0}

    def __missing__(self, word: str) -> int:
        self[word] = number = self.numbers.setdefault(stem(word), len(self.numbers))
        return number


class VectorSearch:
    """Passages, found by how near their vectors are to that of a query; vectors have length 1.

    Everything is looked at in whole steps of one byte, and what may be among the hits again in
    double precision, so that neither the order of the vectors nor what else is searched for changes
    a digit. Numpy's `@` is not used: it spreads over all cores, and so waits for those that are
    taken.
    """

    def __init__(self, vectors: Vectors, folder: Path) -> None:
        """Open the files that `write` wrote for these vectors, which may be mapped from a file."""
        self._exact = vectors
        self._coarse = np.asarray(np.load(folder / _COARSE, mmap_mode="r"))
        """One row for each dimension: of most queries few are not 0, and only these are read."""
        self._steps = np.load(folder / _STEPS)
        self._rows: Places = np.load(folder / _ROWS)
        self._order = np.argsort(self._rows, kind="stable")
        self._starts = np.searchsorted(self._rows[self._order], np.arange(len(self._exact) + 1))

    @staticmethod
    def write(vectors: Vectors, rows: Sequence[int], folder: Path) -> None:
        """Write the files of these vectors; `rows` has the row of each passage's vector."""
        pages = [slice(start, start + _PAGE) for start in range(0, len(vectors), _PAGE)]
        largest = np.max([np.abs(vectors[page]).max(axis=0) for page in pages], axis=0)
        steps = np.where(largest > 0, largest, 1) / np.float32(_LARGEST)
        coarse = np.lib.format.open_memmap(folder / _COARSE, "w+", np.int8, vectors.T.shape)
        for page in pages:
            coarse[:, page] = np.rint(vectors[page] / steps).T
        coarse.flush()
        np.save(folder / _STEPS, steps)
        np.save(folder / _ROWS, np.array(rows, dtype=np.intp))

    def search(self, query: Vectors, n: int) -> dict[int, float]:
        """Return at most `n` places with their similarity to `query`, best first.

        Equal similarities are ordered by place. What ties with the first vector left out is left
        out too, unless all tie: such hits tell nothing.
        """
        used = np.flatnonzero(query)
        weights = query * self._steps
        read = used if len(used) < len(query) / 2 else slice(None)
        rough = np.einsum("i,ij->j", weights[read], self._coarse[read])
        wrong_by = np.abs(weights).sum() / 2 + _SLACK
        rows = np.flatnonzero(rough >= _nth(rough, n + 1) - 2 * wrong_by)
        values = self._similarities(query, rows)
        first_out = _nth(values, n + 1)
        kept = values > first_out if first_out < values.max() else np.full(len(rows), True)
        pairs = [
            (place, value)
            for row, value in zip(rows[kept].tolist(), values[kept].tolist(), strict=True)
            for place in self._order[self._starts[row] : self._starts[row + 1]].tolist()
        ]
        return dict(sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:n])

    def similarities(self, query: Vectors, places: Sequence[int]) -> dict[int, float]:
        """Return the cosine similarity of `query` and the vector of each passage."""
        rows = self._rows[np.array(places, dtype=np.intp)]
        return dict(zip(places, self._similarities(query, rows).tolist(), strict=True))

    def _similarities(self, query: Vectors, rows: Places) -> NDArray[np.float64]:
        used = np.flatnonzero(query)
        read = np.ascontiguousarray(np.asarray(self._exact)[rows][:, used].T)
        mapped = getattr(self._exact, "_mmap", None)
        if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            mapped.madvise(mmap.MADV_DONTNEED)  # what was read does not stay in memory
        found: NDArray[np.float64] = np.einsum("i,ij->j", query[used], read, dtype=np.float64)
        return np.clip(np.round(found, _DIGITS), -1.0, 1.0)


def _nth(values: NDArray[np.floating], n: int) -> float:
    """Return the `n`th largest value; minus infinity if there are fewer."""
    if n > len(values):
        return -np.inf
    blocks = values[: len(values) // _BLOCK * _BLOCK].reshape(-1, _BLOCK).max(axis=1)
    if n <= len(blocks):  # so many values are as large as the nth of the blocks' largest ones
        values = values[values >= np.partition(blocks, -n)[-n]]
    return float(np.partition(values, -n)[-n])
