"""Search by words: BM25 over every passage."""

from collections.abc import Mapping
from typing import Final

import bm25s
import numpy as np

from uaeval.text.words import stem, tokens

_DIGITS: Final = 4


class WordSearch:
    """Texts by id, found by the words that they share with a query."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._ids = np.array(sorted(texts), dtype=object)
        self._index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
        self._index.index([_words(texts[key]) for key in self._ids], show_progress=False)

    def search(self, text: str, n: int) -> list[str]:
        """Return at most `n` ids, best first; equal scores are ordered by id."""
        known = [word for word in _words(text) if word in self._index.vocab_dict]
        if not known:
            return []
        scores = np.round(self._index.get_scores(known), _DIGITS)
        found = np.flatnonzero(scores > 0)
        best = found[np.argsort(-scores[found], kind="stable")][:n]
        return [str(identity) for identity in self._ids[best]]


def _words(text: str) -> list[str]:
    return [stem(word) for word in tokens(text)]
