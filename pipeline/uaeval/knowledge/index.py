"""Search the whole knowledge base by vectors and by words, fused by rank."""

import hashlib
import json
import os
import shutil
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Final, TypeVar

from uaeval.config.systems import Ranking
from uaeval.errors import KnowledgeBaseError, StorageError
from uaeval.knowledge.embedding import DEFAULT_EMBEDDING, Embedding, Vectors, embed_passages
from uaeval.knowledge.exact_search import FILES, VectorSearch, WordSearch
from uaeval.knowledge.retriever import Hit
from uaeval.knowledge.vector_store import KEY_BYTES, stored_records, update_vectors
from uaeval.records import Chunk
from uaeval.storage import make_folder, write_json

K = TypeVar("K", int, str)

_DEPTH: Final = 50
"""Fewest hits of each ranking that are fused; searches for up to half as many share one result."""
_READING: Final = 2
"""Version of the tokenizer; if it changes, passages get new vectors of the default embedding."""
_CACHED: Final = 4_096
"""Number of cached searches; several checks of a candidate search the same texts."""
_DEEPEST_CACHED: Final = 100
"""Most hits per ranking of a search that is cached."""
_AT_ONCE, _AT_ONCE_ON_RAY = 256, 32_768
"""Number of passages that are embedded before their vectors are stored."""
_FOLDER: Final = "search"
_MARK: Final = "search.json"
"""File with the contents that the files were made from, and their sizes and times; written last."""


class HybridIndex(AbstractContextManager["HybridIndex"]):
    """Searches by vectors and by words; both searches are exact and read memory-mapped files."""

    def __init__(
        self,
        chunks: Iterable[Chunk],
        folder: Path,
        embedding: Embedding,
        digest: str = "",
        engine: str = "local",
    ) -> None:
        """Index the chunks in a folder, or open the index if it is up to date.

        Only chunks without a stored vector are embedded, so an interrupted build is completed;
        vectors of other chunks are removed. `digest` is the hash of the file with the chunks;
        without it, the chunks are hashed. `engine` is where they are embedded: `local`, or
        `ray[:address]`.

        Raises:
            KnowledgeBaseError: there are no chunks, or two have the same id.
            StorageError: the folder cannot be used.
        """
        self.chunks = tuple(sorted(chunks, key=attrgetter("id")))
        """Every chunk, sorted by id."""
        if not self.chunks:
            raise KnowledgeBaseError("nothing to index: the knowledge base has no passages")
        for first, second in pairwise(self.chunks):
            if first.id == second.id:
                raise KnowledgeBaseError(
                    f"two passages have the id {first.id!r}; ids must be unique"
                )
        make_folder(folder)
        self._embedding = embedding
        name = hashlib.sha256(embedding.name.encode()).hexdigest()
        self._vectors_path = folder / f"vectors-{name[:16]}.npy"
        self._ranking: Ranking = "fused"
        self._cached = lru_cache(_CACHED)(self._hits)
        contents = f"{FILES} {_READING} {embedding.name} {digest or _hashed(self.chunks)}"
        if files := _current_files(folder, contents):
            self._open(files)
            if _current_files(folder, contents):
                return
        with _new_files(folder, contents) as files:
            self._write(files, engine)
            self._open(files)

    def _write(self, folder: Path, engine: str) -> None:
        keys = [_key(chunk, self._embedding) for chunk in self.chunks]
        chunks = dict(zip(keys, self.chunks, strict=True))

        def embed(missing: Sequence[bytes]) -> Vectors:
            texts = [searched(chunks[key]) for key in missing]
            return embed_passages(self._embedding, texts, engine)

        at_once = _AT_ONCE if engine == "local" else _AT_ONCE_ON_RAY
        rows = update_vectors(self._vectors_path, chunks, embed, at_once)
        vectors = stored_records(self._vectors_path)["vector"]
        VectorSearch.write(vectors, [rows[key] for key in keys], folder)
        WordSearch.write(map(searched, self.chunks), folder)

    def _open(self, folder: Path) -> None:
        vectors = stored_records(self._vectors_path)["vector"]
        self._vectors: VectorSearch | None = VectorSearch(vectors, folder)
        self._words: WordSearch | None = WordSearch(folder)

    def get(self, chunk_id: str) -> Chunk:
        """Return a chunk by id; raise `KeyError` if there is none."""
        position = bisect_left(self.chunks, chunk_id, key=attrgetter("id"))
        if position == len(self.chunks) or self.chunks[position].id != chunk_id:
            raise KeyError(chunk_id)
        return self.chunks[position]

    def search(self, text: str, k: int) -> tuple[Hit, ...]:
        """Return at most `k` hits, best first; recent searches are cached."""
        if k < 1:
            return ()
        depth = max(_DEPTH, 2 * k)
        hits = self._cached(text, depth) if depth <= _DEEPEST_CACHED else self._hits(text, depth)
        return hits[:k]

    def ranked_by(self, ranking: Ranking) -> "HybridIndex":
        """Return an index with the same data and another ranking."""
        other = copy(self)
        other._ranking = ranking
        other._cached = lru_cache(_CACHED)(other._hits)
        return other

    def close(self) -> None:
        """Release the files of the vectors and words; the index may be closed twice."""
        self._vectors = self._words = None

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _hits(self, text: str, depth: int) -> tuple[Hit, ...]:
        """Fuse the first `depth` hits of each ranking; return half as many."""
        assert self._vectors and self._words, "the index is open"
        (query,) = self._embedding.queries([text])
        similarities = self._vectors.search(query, depth)
        rankings = [] if self._ranking == "bm25" else [list(similarities)]
        if self._ranking != "vector":
            rankings.append(self._words.search(text, depth))
        ranked = fused(rankings)[: depth // 2]
        others = [number for number in ranked if number not in similarities]
        similarities |= self._vectors.similarities(query, others)
        return tuple(
            Hit(chunk=self.chunks[number], similarity=similarities[number]) for number in ranked
        )


def searched(chunk: Chunk) -> str:
    """Return the searchable text of a chunk: its title, its headings and its text."""
    return "\n".join(part for part in (chunk.title, chunk.heading, chunk.text) if part)


def fused(rankings: Sequence[Sequence[K]]) -> list[K]:
    """Fuse rankings by reciprocal rank; return the names, equal scores sorted by name."""
    scores: dict[K, float] = {}
    for ranking in rankings:
        for rank, name in enumerate(ranking, start=1):
            scores[name] = scores.get(name, 0.0) + 1.0 / (60 + rank)  # its usual constant
    return sorted(scores, key=lambda name: (-round(scores[name], 12), name))


def _hashed(chunks: Iterable[Chunk]) -> str:
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update("\0".join((chunk.id, chunk.title, chunk.heading, chunk.text, "")).encode())
    return digest.hexdigest()


def _key(chunk: Chunk, embedding: Embedding) -> bytes:
    version = f"/{_READING}" if embedding.name == DEFAULT_EMBEDDING else ""
    input_ = f"{embedding.name}{version}\0{searched(chunk)}"
    return hashlib.sha256(input_.encode()).digest()[:KEY_BYTES]


# --- the files that searches read ---------------------------------------------------------------
# They are used only if they were made from the same passages, and no file of the index has changed
# in size or time since; otherwise they are written again.


def _current_files(place: Path, contents: str) -> Path | None:
    """Return the folder of the files made from these contents; `None` if there is none."""
    try:
        mark = json.loads((place / _MARK).read_bytes())
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    return place / _FOLDER if mark == _state(place, contents) else None


@contextmanager
def _new_files(place: Path, contents: str) -> Iterator[Path]:
    """Yield a folder that then replaces the earlier one; raise `StorageError` if it cannot."""
    try:
        for path in place.glob(f"{_FOLDER}.*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        folder = place / f"{_FOLDER}.{os.getpid()}"
        folder.mkdir()
        yield folder
        for path in folder.iterdir():
            with path.open("rb+") as file:
                os.fsync(file.fileno())
        shutil.rmtree(place / _FOLDER, ignore_errors=True)
        folder.replace(place / _FOLDER)
        write_json(place / _MARK, _state(place, contents))
    except OSError as error:
        raise StorageError(
            f"the index {place} cannot be written ({error.strerror or error}); free some space or "
            "choose another -o folder"
        ) from error


def _state(place: Path, contents: str) -> dict[str, object]:
    files = sorted(path for path in place.rglob("*") if path.is_file() and path.name != _MARK)
    stats = {path.relative_to(place).as_posix(): path.stat() for path in files}
    sizes = {name: [stat.st_size, stat.st_mtime_ns] for name, stat in stats.items()}
    return {"contents": contents, "files": sizes}
