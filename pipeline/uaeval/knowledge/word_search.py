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
        scores = np.round(self._index.get_scores_from_ids(numbers), _DIGITS)
        hits = np.flatnonzero((scores > 0) & (scores >= nth_largest(scores, n)))
        best: list[int] = hits[np.argsort(-scores[hits], kind="stable")][:n].tolist()
        return best
