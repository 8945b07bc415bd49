"""Retrieve passages for a question: rewrite, search, rerank."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.errors import BlockedError, ConfigError, ModelError, RefusedError, ReplyError
from uaeval.knowledge.index import fused, searched
from uaeval.knowledge.retriever import Hit, Retriever
from uaeval.llm.model import Model
from uaeval.llm.replies import ImaginedPassage, PassageOrder, Rewordings
from uaeval.records import Context, Passage

T = TypeVar("T")

Rewriter: TypeAlias = Callable[[str], Awaitable[tuple[str, ...]]]
"""Returns the texts to search by, the question first; raises `RecordError` if a model failed."""
Reranker: TypeAlias = Callable[[str, Sequence[Hit]], Awaitable[tuple[Hit, ...]]]
"""Returns two or more hits of a question, best first; raises `RecordError` if a model failed."""

REWRITING_PROMPTS: Final = {"hyde": "rag/hyde", "multi_query": "rag/multi_query"}
"""The prompt of each rewriting in the settings."""
RERANK = "rag/rerank"
_CROSS_ENCODER = "cross-encoder:"
EXTRA: Final = "cross-encoder"
"""The optional extra that installs sentence-transformers."""
_SHOWN: Final = 300
"""Most characters of a library's message in an error."""
_DEPTH: Final = 50
"""Number of hits of each text that are fused, if there are several texts."""


class PartBlockedError(BlockedError):
    """A content filter blocked the model of the rewriter or of the reranker."""

    def __init__(self, part: str, message: str) -> None:
        super().__init__(message)
        self.part = part


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievedPassages:
    """The passages for one question."""

    hits: tuple[Hit, ...]
    """Best first."""
    stopped: tuple[str, ...] = ()
    """Parts without effect, and why, such as `rewriting refused` or `rewriting gave nothing`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """Rewriter, retriever and reranker, one after the other."""

    retriever: Retriever
    rewriter: Rewriter | None = None
    """`None`: the question alone is searched."""
    reranker: Reranker | None = None
    """`None`: the retriever's order is kept."""
    k: int = 5
    """Number of passages that are returned."""
    candidates: int = 20
    """Number of passages that the reranker sorts; at least `k`."""
    cache: MutableMapping[str, RetrievedPassages] | None = None
    """Passages that were retrieved earlier, by question; new ones are added."""

    async def find(self, question: str) -> RetrievedPassages:
        """Return the `k` best passages, and the parts without effect.

        Raises `PartBlockedError` if a filter blocked the model of a part, `RecordError` if it
        failed.
        """
        if self.cache is not None and question in self.cache:
            return self.cache[question]
        stopped = list[str]()
        texts: tuple[str, ...] = (question,)
        if self.rewriter:
            texts = await _unless_refused("rewriting", self.rewriter(question), texts, stopped)
            if len(texts) == 1 and not stopped:
                stopped.append("rewriting gave nothing")
        hits = self.search(texts)
        if self.reranker and len(hits) > 1:
            hits = await _unless_refused("reranker", self.reranker(question, hits), hits, stopped)
        retrieved = RetrievedPassages(hits=hits[: self.k], stopped=tuple(stopped))
        if self.cache is not None:
            self.cache[question] = retrieved
        return retrieved

    def search(self, texts: tuple[str, ...]) -> tuple[Hit, ...]:
        """Return the hits of all texts, fused by rank; enough of them for the reranker."""
        count = max(self.k, self.candidates) if self.reranker else self.k
        if len(texts) == 1:
            return self.retriever.search(texts[0], count)
        by_text = [self.retriever.search(text, max(_DEPTH, count)) for text in texts]
        by_id = {hit.chunk.id: hit for hits in reversed(by_text) for hit in hits}
        ranked = fused([[hit.chunk.id for hit in hits] for hits in by_text])[:count]
        return tuple(by_id[identity] for identity in ranked)


async def _unless_refused(
    part: str, work: Awaitable[tuple[T, ...]], default: tuple[T, ...], stopped: list[str]
) -> tuple[T, ...]:
    """Return the result of a part; or `default`, with a note in `stopped`, if its model refuses."""
    try:
        return await work
    except RefusedError:
        stopped.append(f"{part} refused")
        return default
    except BlockedError as error:
        raise PartBlockedError(part, str(error)) from error


def rewriter_named(name: Literal["none", "hyde", "multi_query"], model: Model) -> Rewriter | None:
    """Return the rewriter that the settings name.

    `hyde` adds an imagined passage to the question (Gao et al. 2022, arXiv 2212.10496),
    `multi_query` adds other wordings.
    """
    return None if name == "none" else partial(_rewritten, name, model)


async def _rewritten(name: str, model: Model, question: str) -> tuple[str, ...]:
    def parse(reply: ImaginedPassage | Rewordings) -> list[str]:
        return reply.queries[:3] if isinstance(reply, Rewordings) else [reply.passage or ""]

    kind: type[ImaginedPassage | Rewordings] = ImaginedPassage if name == "hyde" else Rewordings
    added = await model.ask(REWRITING_PROMPTS[name], kind, parse, question=question)
    return tuple(dict.fromkeys(text.strip() for text in (question, *added) if text.strip()))


def reranker_named(name: str, model: Model) -> Reranker | None:
    """Return the reranker that the settings name; `None` for `none`."""
    return partial(_model_order, model) if name == "model" else check_reranker(name)


def check_reranker(name: str) -> Reranker | None:
    """Return a cross-encoder, loaded from the hub or a folder; `None` for another reranker.

    Raises `ConfigError` if the package is missing, or the model cannot be used.
    """
    if not name.startswith(_CROSS_ENCODER):
        return None
    model_name = name.removeprefix(_CROSS_ENCODER)
    return partial(_by_cross_encoder, _loaded(model_name), model_name, asyncio.Lock())


async def _model_order(model: Model, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the passages in the order of the model's one reply; those it omits are last."""

    def parse(reply: PassageOrder) -> tuple[Hit, ...]:
        if len(set(reply.order)) < len(reply.order):
            raise ReplyError("`order` names a passage twice")
        if not set(reply.order) <= set(range(1, len(hits) + 1)):
            raise ReplyError(f"`order` names a passage that was not shown: {reply.order}")
        named = [number - 1 for number in reply.order]
        return tuple(hits[place] for place in dict.fromkeys([*named, *range(len(hits))]))

    return await model.ask(RERANK, PassageOrder, parse, question=question, passages=numbered(hits))


def context_of(hit: Hit) -> Context:
    """Return a hit as a context of the response."""
    above = (hit.chunk.title, hit.chunk.heading)
    return Context(id=hit.chunk.id, text=hit.chunk.text, heading=" › ".join(filter(None, above)))


def numbered(hits: Sequence[Hit]) -> tuple[Passage, ...]:
    """Return hits as numbered passages for a prompt."""
    return NumberedPassages(tuple(hit.chunk for hit in hits)).passages


async def _by_cross_encoder(
    model: Any, name: str, lock: asyncio.Lock, question: str, hits: Sequence[Hit]
) -> tuple[Hit, ...]:
    """Return the hits, the highest score first; equal scores keep the retriever's order."""
    pairs = [(question, searched(hit.chunk)) for hit in hits]
    async with lock:
        scores = await asyncio.to_thread(_scores, model, name, pairs)
    return tuple(hits[place] for place in np.argsort(-scores, kind="stable"))


def _scores(model: Any, name: str, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
    try:
        predicted = model.predict(pairs, show_progress_bar=False)
    except (RuntimeError, ValueError, IndexError) as error:
        raise ModelError(
            f"reranker: {name} cannot score the passages ({_message(error)})"
        ) from error
    scores = np.asarray(predicted, dtype=np.float64)
    if scores.shape != (len(pairs),) or not np.isfinite(scores).all():
        text = str(np.asarray(predicted).tolist())
        raise ReplyError(
            f"reranker: {name} should give {len(pairs)} numbers to {len(pairs)} passages, "
            f"got {text[:_SHOWN]}",
            raw=text,
        )
    return scores


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
