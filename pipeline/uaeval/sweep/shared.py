"""What the cells of a sweep share: open indexes, vectors of queries, passages found."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, nullcontext
from typing import Final

import numpy as np

from uaeval.config import EvaluationConfig, RagSettings
from uaeval.knowledge.embedding import Embedding, Vectors
from uaeval.knowledge.index import HybridIndex
from uaeval.llm.model import Model
from uaeval.run_folder import RunFolder
from uaeval.systems.named import own_system
from uaeval.systems.rag import embedding_of, open_index, rag_system
from uaeval.systems.retrieval import RetrievedPassages
from uaeval.systems.system import System
from uaeval.types import Query

_OF_RETRIEVAL: Final = frozenset(RagSettings.model_fields) - {"answer_prompt"}


class RememberingEmbedding:
    """An embedding that embeds each query once."""

    def __init__(self, inner: Embedding) -> None:
        self._inner = inner
        self._known: dict[str, Vectors] = {}

    @property
    def name(self) -> str:
        """The inner embedding's name."""
        return self._inner.name

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed passages, one row each."""
        return self._inner.passages(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed queries, one row each."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._inner.queries(new), strict=True))
        return np.stack([self._known[text] for text in texts])


class SharedRetrieval:
    """Opens the RAG of each cell over what the cells before it have found already."""

    def __init__(self, run: RunFolder, stack: ExitStack) -> None:
        self._run = run
        self._stack = stack
        self._indexes: dict[str, HybridIndex] = {}
        self._key: object = None
        self._found: dict[str, RetrievedPassages] = {}

    def opener(
        self, config: EvaluationConfig, queries: Sequence[Query]
    ) -> Callable[[Model], AbstractAsyncContextManager[System]]:
        """Return a function that opens the cell's system, given the model of the built-in RAG."""
        own = own_system(config, queries)

        def opened(model: Model) -> AbstractAsyncContextManager[System]:
            index, cache = self._index(config), self._passages(config)
            return nullcontext(rag_system(config, index, model, cache=cache))

        return (lambda _: own) if own else opened

    def _index(self, config: EvaluationConfig) -> HybridIndex:
        embedding = embedding_of(config, self._run)
        if embedding.name not in self._indexes:
            index = open_index(self._run, RememberingEmbedding(embedding))
            self._indexes[embedding.name] = self._stack.enter_context(index)
        return self._indexes[embedding.name]

    def _passages(self, config: EvaluationConfig) -> dict[str, RetrievedPassages]:
        """Return what was found so far by the same retrieval; only the latest one is kept."""
        key: list[object] = [config.model_dump(include=set(_OF_RETRIEVAL))]
        if config.rewriting != "none" or config.reranker == "model":
            key += [config.model, config.base_url, config.prompts]
        if key != self._key:
            self._key, self._found = key, {}
        return self._found
