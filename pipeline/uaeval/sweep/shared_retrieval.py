"""Open the systems of a sweep's cells, which share indexes and retrieved passages."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, nullcontext
from functools import cache

import numpy as np

from uaeval.config import EvaluationConfig, RagSettings
from uaeval.knowledge.embedding import Embedding, Vectors
from uaeval.knowledge.index import HybridIndex
from uaeval.llm.model import Model
from uaeval.records import Query
from uaeval.systems.kind import own_system
from uaeval.systems.rag import embedding_of, indexed_run, open_index, rag_system
from uaeval.systems.retrieval import RetrievedPassages
from uaeval.systems.system import System


class CachingEmbedding:
    """An embedding that caches the vectors of queries."""

    def __init__(self, inner: Embedding) -> None:
        self.name = inner.name
        self.passages = inner.passages
        self._query = cache(lambda text: inner.queries([text])[0])

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per query, of shape (queries, dimensions)."""
        return np.stack([self._query(text) for text in texts])


class SharedRetrieval:
    """Opens the system of each cell; cells with the same retrieval share their results."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._indexes: dict[str | None, HybridIndex] = {}
        self._key: object = None
        self._retrieved: dict[str, RetrievedPassages] = {}

    def opener(
        self, config: EvaluationConfig, queries: Sequence[Query]
    ) -> Callable[[Model], AbstractAsyncContextManager[System]]:
        """Return a function that opens the cell's system, given the built-in RAG's model."""
        own = own_system(config, queries)

        def open_rag(model: Model) -> AbstractAsyncContextManager[System]:
            index, cache = self.index(config), self._passages(config)
            return nullcontext(rag_system(config, index, model, cache=cache))

        return (lambda _: own) if own else open_rag

    def index(self, config: EvaluationConfig) -> HybridIndex:
        """Return the index of the cell's embedding; each is opened once."""
        if config.embedding not in self._indexes:
            run = indexed_run(config)
            index = open_index(run, CachingEmbedding(embedding_of(config, run)))
            self._indexes[config.embedding] = self._stack.enter_context(index)
        return self._indexes[config.embedding]

    def _passages(self, config: EvaluationConfig) -> dict[str, RetrievedPassages]:
        """Return the cache of the cell's retrieval; only the latest retrieval has one."""
        settings = RagSettings.model_fields.keys() - {"answer_prompt"}
        key: list[object] = [config.model_dump(include=settings)]
        if config.rewriting != "none" or config.reranker == "model":
            key += [config.model, config.base_url, config.prompts]
        if key != self._key:
            self._key, self._retrieved = key, {}
        return self._retrieved
