"""Search by words: BM25 over every passage."""

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import bm25s
import numpy as np

from uaeval.text.words import stem, tokens

_DIGITS: Final = 4
_READING: Final = 1
"""Version of how words are read; a stored index of another one is built again."""
_CHECKED: Final = "checked.txt"


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
        scores = np.round(self._index.get_scores(known), _DIGITS)
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
    """Return a digest of the names and bytes of the stored files."""
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
