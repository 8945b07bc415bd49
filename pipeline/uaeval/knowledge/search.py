"""Search by words and by vectors, both exact: BM25 and cosine similarity over every passage."""

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import bm25s
import numpy as np
from numpy.typing import NDArray

from uaeval.knowledge.embedding import Vectors
from uaeval.text.words import stem, tokens

_SCORE_DIGITS: Final = 4
_READING: Final = 1
"""Version of how words are read; a stored index of another one is built again."""
_CHECKED: Final = "checked.txt"
_DIGITS: Final = 6
"""Similarities are rounded to this many digits, so that equal passages tie in every build."""
_SLACK: Final = 1e-4
"""More than single precision can be wrong by; what is so near the last hit is looked at again."""


class WordSearch:
    """Texts by id, found by the words that they share with a query."""

    def __init__(self, texts: Mapping[str, str], folder: Path | None = None) -> None:
        """Index the texts, or open the index of the same texts that `folder` has; keep it there."""
        self._ids = np.array(sorted(texts), dtype=object)
        contents = _digest(f"{_READING}", *(f"{key}\0{texts[key]}" for key in self._ids))
        stored = _opened(folder, contents) if folder else None
        self._index = stored or bm25s.BM25(k1=1.5, b=0.75, method="lucene")
        if stored is None:
            self._index.index([_words(texts[key]) for key in self._ids], show_progress=False)
            if folder:
                _save(self._index, folder, contents)

    def search(self, text: str, n: int) -> list[str]:
        """Return at most `n` ids, best first; equal scores are ordered by id."""
        known = [word for word in _words(text) if word in self._index.vocab_dict]
        if not known:
            return []
        scores = np.round(self._index.get_scores(known), _SCORE_DIGITS)
        found = np.flatnonzero(scores > 0)
        best = found[np.argsort(-scores[found], kind="stable")][:n]
        return [str(identity) for identity in self._ids[best]]


def _opened(folder: Path, contents: str) -> bm25s.BM25 | None:
    """Return the stored index of these contents; `None` if there is none, or it is damaged."""
    checked = folder / _CHECKED
    if not checked.is_file() or checked.read_bytes() != f"{contents} {_files(folder)}".encode():
        return None
    return bm25s.BM25.load(folder, mmap=True, show_progress=False)


def _save(index: bm25s.BM25, folder: Path, contents: str) -> None:
    """Write an index; its digests come last, so that one cut off is not taken for whole."""
    shutil.rmtree(folder, ignore_errors=True)
    index.save(folder, show_progress=False)
    (folder / _CHECKED).write_text(f"{contents} {_files(folder)}")


def _files(folder: Path) -> str:
    paths = sorted(path for path in folder.iterdir() if path.name != _CHECKED)
    return _digest(*(f"{path.name} {_digest(path.read_bytes())}" for path in paths))


def _digest(*parts: str | bytes) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part.encode() if isinstance(part, str) else part)
        whole.update(b"\n")
    return whole.hexdigest()


def _words(text: str) -> list[str]:
    return [stem(word) for word in tokens(text)]


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
