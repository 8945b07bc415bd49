"""Search passages by words: BM25 over every passage, from memory-mapped files.

A passage is represented by its number in the order of ids.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import bm25s
import numpy as np
from numpy.typing import NDArray

from uaeval.knowledge.vector_search import Numbers, nth_largest
from uaeval.text.words import stem, tokens

LIBRARY: Final = f"bm25s {bm25s.__version__}"
"""The library that writes the files, and its version."""
_DIGITS: Final = 4
"""Scores are rounded to this many digits, so that equal passages tie."""
_SLACK: Final = 2 * 0.1**_DIGITS
"""More than the difference of two scores that are rounded to the same one."""
_LOOKUP: Final = 8
"""Looking up a word in a passage takes as long as adding its score to so many passages."""


class WordSearch:
    """Finds passages by the words that they share with a query.

    Scores of rare words are added first. As soon as the words that are left cannot raise any other
    passage into the hits, they are only looked up in the passages that may still be hits.
    """

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
        words = [self._words[word] for word in map(stem, tokens(text)) if word in self._words]
        found = self._candidates(Counter(words), n)
        scores = np.zeros(len(found), np.float32)
        for word in words:  # in this order, because sums of single precision depend on it
            scores += self._scores_of(word, found)
        scores = np.round(scores, _DIGITS)
        hits = np.flatnonzero((scores > 0) & (scores >= nth_largest(scores, n)))
        best: list[int] = found[hits[np.argsort(-scores[hits], kind="stable")]][:n].tolist()
        return best

    def _candidates(self, counts: Counter[int], n: int) -> Numbers:
        """Return the passages that may be among the best `n`, sorted."""
        postings = {word: slice(*self._starts[word : word + 2].tolist()) for word in counts}
        rare = sorted(counts, key=lambda word: postings[word].stop - postings[word].start)
        most = [counts[word] * float(self._scores[postings[word]].max(initial=0)) for word in rare]
        error = _SLACK + float(np.finfo(np.float32).eps) * counts.total() * sum(most)
        left = total = sum(most) + error
        scores, least, found = np.zeros(self._count, np.float32), 0.0, None
        for word, highest in zip(rare, most, strict=True):
            if found is None and least > left:
                found = np.flatnonzero(scores >= least - left)
                scores = scores[found]
            left -= highest  # what the words after this one can add to a score, at most
            if found is None:
                passages = self._passages[postings[word]]
                np.add.at(scores, passages, counts[word] * self._scores[postings[word]])
                if left < total / 2:  # before, no score is higher than what is left
                    least = max(least, nth_largest(scores[passages], n))
            else:
                scores += counts[word] * self._scores_of(word, found)
                kept = scores >= nth_largest(scores, n) - left
                found, scores = found[kept], scores[kept]
        return np.flatnonzero((scores > 0) & (scores >= least - error)) if found is None else found

    def _scores_of(self, word: int, passages: Numbers) -> NDArray[np.float32]:
        """Return the scores of a word in some passages."""
        start, stop = self._starts[word : word + 2].tolist()
        own, scores = self._passages[start:stop], self._scores[start:stop]
        if _LOOKUP * len(passages) > len(own):
            dense = np.zeros(self._count, np.float32)
            dense[own] = scores
            return dense[passages]
        places = np.minimum(np.searchsorted(own, passages.astype(own.dtype)), len(own) - 1)
        return np.where(own[places] == passages, scores[places], 0)
