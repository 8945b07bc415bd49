"""Embed texts as vectors: by a default without a model, or by any embedding of LangChain."""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import Final, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from uaeval.errors import ConfigError, RunAborted
from uaeval.run.ray_cluster import map_parts
from uaeval.text.words import STOP_WORDS, tokens

Vectors = NDArray[np.float32]

_DIMENSIONS: Final = 1024
_PIECE: Final = 4
_HASH_BITS: Final = 32
_AT_ONCE: Final = 256
"""Number of texts whose features are counted at once."""
_PIECE_WEIGHT: Final = 0.7
_NOTHING: Final = np.full(_DIMENSIONS, _DIMENSIONS**-0.5)
"""The vector of a text without words."""
DEFAULT_EMBEDDING: Final = f"hashed-words-{_DIMENSIONS}"


class Embedding(Protocol):
    """Turns texts into vectors of length 1; the same text always gives the same vector."""

    name: str
    """The name in records."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, one row each."""

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of search texts, one row each; the default treats them as passages."""
        return self.passages(texts)


def embedding_named(name: str) -> Embedding:
    """Return the default embedding or LangChain's `provider:model`; else raise `ConfigError`."""
    if name == DEFAULT_EMBEDDING:
        return HashedWords()
    if ":" not in name:
        raise ConfigError(
            f"embedding {name!r}: write {DEFAULT_EMBEDDING} or provider:model, "
            "for example openai:text-embedding-3-small"
        )
    return LangChainEmbedding(name)


def embed_passages(embedding: Embedding, texts: Sequence[str], engine: str) -> Vectors:
    """Return the vectors of passages, one row each; a worker of Ray loads the embedding itself."""
    if engine == "local":
        return embedding.passages(texts)
    return np.stack(map_parts(partial(_embed, embedding.name), texts, engine))


def _embed(name: str, texts: Sequence[str]) -> Sequence[Vectors]:
    return [*embedding_named(name).passages(texts)]


class HashedWords(Embedding):
    """Hashes words and pieces of words into vectors, without a model, a network or training.

    Texts are similar if they share words, not meanings. Stop words are ignored, the logarithm of
    counts is used, and pieces of four letters match inflected forms.
    """

    name = DEFAULT_EMBEDDING

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed passages, one row each."""
        parts = [texts[start : start + _AT_ONCE] for start in range(0, len(texts), _AT_ONCE)]
        return np.concatenate([np.zeros((0, _DIMENSIONS), np.float32), *map(_hashed, parts)])


def _hashed(texts: Sequence[str]) -> Vectors:
    all_words = [tokens(text) for text in texts]
    content = [[word for word in words if word not in STOP_WORDS] or words for words in all_words]
    features = [_hashes(word) for word in chain.from_iterable(content)]
    lengths = [len(pieces) for _, pieces in features]
    rows = np.repeat(np.arange(len(texts)), [len(words) for words in content])
    pieces = chain.from_iterable(pieces for _, pieces in features)
    word_vectors = _counted(rows, (word for word, _ in features), len(texts))
    piece_vectors = _counted(np.repeat(rows, lengths), pieces, len(texts))
    sums = word_vectors + _PIECE_WEIGHT * piece_vectors
    return np.array([_unit(row) if row.any() else _NOTHING for row in sums], dtype=np.float32)


def _counted(rows: NDArray[np.intp], hashes: Iterable[int], count: int) -> NDArray[np.float64]:
    """Return vectors of length 1 with the counts of the hashed features of `count` rows.

    Each feature adds to one dimension of its row, with a sign that its hash decides.
    """
    keys = (rows << _HASH_BITS) | np.fromiter(hashes, dtype=np.int64, count=len(rows))
    features, counts = np.unique(keys, return_counts=True)
    damped = 1.0 + np.log(counts)
    signed = np.where(features >> (_HASH_BITS - 1) & 1, damped, -damped)
    cells = (features >> _HASH_BITS) * _DIMENSIONS + features % _DIMENSIONS
    sums = np.bincount(cells, signed, count * _DIMENSIONS).astype(float)
    return np.array([_unit(row) for row in sums.reshape(count, _DIMENSIONS)])


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    length = math.sqrt(float(vector @ vector))
    return vector / length if length else vector


@lru_cache(maxsize=131_072)
def _hashes(word: str) -> tuple[int, tuple[int, ...]]:
    framed = f" {word} "
    pieces = (framed[i : i + _PIECE] for i in range(max(1, len(framed) - _PIECE + 1)))
    return crc32(word.encode()), tuple(crc32(piece.encode()) for piece in pieces)


class LangChainEmbedding:
    """An embedding of LangChain."""

    def __init__(self, name: str) -> None:
        from langchain.embeddings import init_embeddings
        from openai import OpenAIError

        self.name = name
        try:
            self._model = init_embeddings(name)
        except (ImportError, ValueError, OpenAIError) as error:
            reason = " ".join(str(error).split())
            raise ConfigError(f"embedding {name!r}: cannot be used ({reason})") from error
        if hasattr(self._model, "check_embedding_ctx_length"):
            # OpenAI's class would download a vocabulary to count tokens; chunks are short enough.
            self._model.check_embedding_ctx_length = False

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed passages, one row each."""
        return self._embedded(lambda: self._model.embed_documents(list(texts)), len(texts))

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed queries, one row each."""
        return self._embedded(lambda: [self._model.embed_query(text) for text in texts], len(texts))

    def _embedded(self, call: Callable[[], list[list[float]]], count: int) -> Vectors:
        """Return the vectors of a call; raise `RunAborted` if it fails, as no proof is possible."""
        import httpx
        from openai import OpenAIError

        shape = (ValueError, TypeError, LookupError, AttributeError)  # for a malformed reply
        try:
            vectors = normalised(call(), self.name)
        except (OSError, RuntimeError, httpx.HTTPError, OpenAIError, *shape) as error:
            reason = " ".join(str(error).split())[:300]
            raise RunAborted(f"the embedding {self.name} cannot be used ({reason})") from error
        if len(vectors) != count:
            raise RunAborted(
                f"the embedding {self.name} gave {len(vectors)} vectors for {count} texts"
            )
        return vectors


def normalised(rows: Sequence[Sequence[float]], name: str) -> Vectors:
    """Return the vectors with length 1; raise `RunAborted` if one is zero or not finite."""
    vectors: Vectors = np.asarray(rows, dtype=np.float32)
    if not len(rows):
        return vectors.reshape(0, 0)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if vectors.ndim != 2 or not np.isfinite(lengths).all() or math.isclose(lengths.min(), 0.0):
        raise RunAborted(f"the embedding {name} gave a vector that is empty or not a number")
    unit: Vectors = vectors / lengths
    return unit
