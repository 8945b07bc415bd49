"""Search passages by words: BM25 over every passage, from memory-mapped files.

A passage is represented by its number in the order of ids.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import bm25s
import numpy as np

from uaeval.knowledge.vector_search import nth_largest
from uaeval.text.words import stem, tokens

LIBRARY: Final = f"bm25s {bm25s.__version__}"
"""The library that writes the files, and its version."""
_DIGITS: Final = 4
"""Scores are rounded to this many digits, so that equal passages tie."""


class WordSearch:
    """Finds passages by the words that they share with a query."""

    def __init__(self, folder: Path) -> None:
        index = bm25s.BM25.load(folder, mmap=True, show_progress=False)
        self._words: dict[str, int] = index.vocab_dict
        self._count: int = index.scores["num_docs"]
        self._starts, self._passages, self._scores = (
            np.asarray(index.scores[name]) for name in ("indptr", "indices", "data")
        )
        """The passages with word `i`, and its score in each, are those from `starts[i]` on."""

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
        scores = np.zeros(self._count, np.float32)
        for word in map(stem, tokens(text)):  # in this order: sums of single precision depend on it
            if (number := self._words.get(word)) is not None:
                postings = slice(*self._starts[number : number + 2].tolist())
                scores[self._passages[postings]] += self._scores[postings]
        scores = np.round(scores, _DIGITS)
        hits = np.flatnonzero((scores > 0) & (scores >= nth_largest(scores, n)))
        best: list[int] = hits[np.argsort(-scores[hits], kind="stable")][:n].tolist()
        return best
