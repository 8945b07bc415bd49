"""Rerank the passages of the built-in RAG before they are shown to the model."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import cache, partial
from typing import Any, Final, TypeAlias

import numpy as np

from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.errors import ConfigError, ModelError, ReplyError
from uaeval.knowledge.index import searched
from uaeval.knowledge.retriever import Hit
from uaeval.llm.model import Model
from uaeval.llm.replies import PassageOrder
from uaeval.records import Context, Passage

Reranker: TypeAlias = Callable[[str, Sequence[Hit]], Awaitable[tuple[Hit, ...]]]
"""Returns all hits for a question, best first; raises `RecordError` if a model failed."""

RERANK = "rag/rerank"
_CROSS_ENCODER = "cross-encoder:"
EXTRA: Final = "cross-encoder"
"""The optional extra that installs sentence-transformers."""
_SHOWN: Final = 300
"""Most characters of a library's message in an error."""


def reranker_named(name: str, model: Model) -> Reranker | None:
    """Return the reranker that the settings name; `None` for `none`."""
    return partial(_model_order, model) if name == "model" else check_reranker(name)


def check_reranker(name: str) -> Reranker | None:
    """Load the reranker with the cross-encoder called `name`; `None` for another reranker."""
    if not name.startswith(_CROSS_ENCODER):
        return None
    return CrossEncoderReranker(name.removeprefix(_CROSS_ENCODER)).ordered


async def _model_order(model: Model, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the passages in the order of the model's one reply; those it omits are last."""
    if len(hits) < 2:
        return tuple(hits)

    def parse(reply: PassageOrder) -> tuple[Hit, ...]:
        if len(set(reply.order)) < len(reply.order):
            raise ReplyError("`order` names a passage twice")
        if not set(reply.order) <= set(range(1, len(hits) + 1)):
            raise ReplyError(f"`order` names a passage that was not shown: {reply.order}")
        named = [number - 1 for number in reply.order]
        others = [place for place in range(len(hits)) if place not in named]
        return tuple(hits[place] for place in (*named, *others))

    passages = numbered(hits)
    return await model.ask(RERANK, PassageOrder, parse, question=question, passages=passages)


def context_of(hit: Hit) -> Context:
    """Return a hit as a context of the response."""
    above = (hit.chunk.title, hit.chunk.heading)
    return Context(id=hit.chunk.id, text=hit.chunk.text, heading=" › ".join(filter(None, above)))


def numbered(hits: Sequence[Hit]) -> tuple[Passage, ...]:
    """Return hits as numbered passages for a prompt."""
    return NumberedPassages(tuple(hit.chunk for hit in hits)).passages


class CrossEncoderReranker:
    """Scores each passage with the question; equal scores keep the retriever's order."""

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
            f"reranker: {name} gives {model.num_labels} scores to a passage; use a cross-encoder "
            "that gives one"
        )
    # If its files are missing, the library creates a tokenizer with special tokens only.
    tokenizer = model.tokenizer
    if tokenizer is None or set(tokenizer.get_vocab()) <= set(tokenizer.all_special_tokens):
        raise ConfigError(
            f"reranker: {name} has no tokenizer with words, so that all passages would look the "
            "same; put the model's tokenizer.json next to its weights"
        )
    return model


def _message(error: Exception) -> str:
    return " ".join(str(error).split())[:_SHOWN]
