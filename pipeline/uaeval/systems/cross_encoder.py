"""A cross-encoder as reranker, with sentence-transformers."""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from uaeval.errors import ConfigError, ModelError, ReplyError
from uaeval.knowledge.index import searched
from uaeval.records import Hit

EXTRA: Final = "cross-encoder"
"""The optional extra that installs sentence-transformers."""
_SHOWN: Final = 300
"""Most characters of a library's message in an error."""


class CrossEncoderReranker:
    """Scores each passage beside the question; equal scores keep the retriever's order."""

    def __init__(self, name: str) -> None:
        """Load the model called `name`, from the Hugging Face hub or a folder.

        Raises:
            ConfigError: the package or the model is missing, or the model gives several scores
                or has no tokenizer.
        """
        self._name = name
        self._model = _loaded(name)
        self._lock = asyncio.Lock()

    async def ordered(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """Return `hits`, the highest score first.

        Raises:
            ModelError: the model failed.
            ReplyError: a score is not a finite number.
        """
        if len(hits) < 2:
            return tuple(hits)
        pairs = [(question, searched(hit.chunk)) for hit in hits]
        async with self._lock:
            scores = await asyncio.to_thread(self._scores, pairs)
        order = sorted(range(len(hits)), key=lambda place: (-scores[place], place))
        return tuple(hits[place] for place in order)

    def _scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        try:
            predicted = self._model.predict(pairs, show_progress_bar=False)
        except (RuntimeError, ValueError, IndexError) as error:
            raise ModelError(
                f"reranker: {self._name} cannot score the passages ({_message(error)})"
            ) from error
        scores = np.asarray(predicted, dtype=np.float64)
        if scores.shape != (len(pairs),) or not np.isfinite(scores).all():
            text = str(np.asarray(predicted).tolist())
            raise ReplyError(
                f"reranker: {self._name} should give {len(pairs)} numbers to {len(pairs)} "
                f"passages, got {text[:_SHOWN]}",
                raw=text,
            )
        return [float(score) for score in scores]


@cache
def _loaded(name: str) -> Any:
    try:
        from safetensors import SafetensorError
        from sentence_transformers import CrossEncoder
    except ImportError as error:
        raise ConfigError(
            "reranker: a cross-encoder needs another package; install it with: "
            f'pip install "uaeval[{EXTRA}]"'
        ) from error
    try:
        model = CrossEncoder(name)
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise ConfigError(
            f"reranker: cannot load the cross-encoder {name} ({_message(error)}); give its folder, "
            "or its name on the Hugging Face hub"
        ) from error
    if model.num_labels != 1:
        raise ConfigError(
            f"reranker: {name} gives {model.num_labels} scores to a passage; a reranker wants a "
            "cross-encoder that gives one"
        )
    # Without its files the library makes a tokenizer of nothing but the special tokens.
    words = model.tokenizer
    if words is None or set(words.get_vocab()) <= set(words.all_special_tokens):
        raise ConfigError(
            f"reranker: {name} has no tokenizer that knows a word, so that all passages would look "
            "alike; put the model's own beside its weights (tokenizer.json)"
        )
    return model


def _message(error: Exception) -> str:
    return " ".join(str(error).split())[:_SHOWN]
