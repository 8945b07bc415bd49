"""The system `rag`, built in: retrieve passages, show them to a model, return its answer."""

import time
from collections.abc import Awaitable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Final

from uaeval import errors
from uaeval.config import EvaluationConfig, RagSettings
from uaeval.knowledge.embedding import Embedding, embedding_named
from uaeval.knowledge.index import HybridIndex
from uaeval.knowledge.retriever import Hit
from uaeval.llm.model import Field, Model
from uaeval.llm.replies import CheckedRagAnswer, RagAnswer
from uaeval.records import Chunk, Query, ResponseStatus
from uaeval.run_folder import RunFolder
from uaeval.storage import read_journal
from uaeval.systems.kind import SystemKind
from uaeval.systems.retrieval import (
    RERANK,
    REWRITING_PROMPTS,
    PartBlockedError,
    Retrieval,
    RetrievedPassages,
    context_of,
    numbered,
    reranker_named,
    rewriter_named,
)
from uaeval.systems.system import Answer

ANSWERING: Final[Mapping[str, tuple[str, type[RagAnswer]]]] = {
    "default": ("rag/answer", RagAnswer),
    "by_case": ("rag/answer_by_case", RagAnswer),
    "evidence_first": ("rag/answer_evidence_first", CheckedRagAnswer),
}
"""Prompt and reply type by the name in the settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RagSystem:
    """A RAG over the knowledge base that the dataset was made from."""

    retrieval: Retrieval
    model: Model
    prompt: str = "default"
    timed: bool = True
    """Whether latency is measured; it is meaningless in batch mode."""
    name: str = "rag"

    async def answer(self, query: Query) -> Answer:
        """Answer from the retrieved passages; a refusal by the model counts as an answer."""
        started = time.perf_counter()
        try:
            retrieved = await self.retrieval.find(query.conversation)
            answer = await self._answer(query.conversation, retrieved.hits)
        except PartBlockedError as error:
            blocked = (f"{error.part} blocked",)
            return Answer(text="", status=ResponseStatus.BLOCKED, stopped_parts=blocked)
        except (errors.ModelError, errors.ReplyError) as error:
            raise errors.TargetError(f"{self.name}: {error}", raw=error.raw) from error
        seconds = round(time.perf_counter() - started, 3) if self.timed else None
        return replace(answer, latency_s=seconds, stopped_parts=retrieved.stopped)

    async def _answer(self, question: str, hits: tuple[Hit, ...]) -> Answer:
        contexts = tuple(map(context_of, hits))
        prompt, reply_type = ANSWERING[self.prompt]
        fields: dict[str, Field] = {"question": question, "passages": numbered(hits)}
        try:
            text = await answer_or_refusal(self.model, prompt, reply_type, **fields)
        except errors.BlockedError:
            return Answer(text="", status=ResponseStatus.BLOCKED, contexts=contexts)
        return Answer(text=text, contexts=contexts)

    def asks(self, query: Query) -> Iterator[Awaitable[object]]:
        """Yield the model calls for a query, each without needing the replies to others."""
        question = query.conversation
        if self.retrieval.rewriter:
            yield self.retrieval.rewriter(question)
        hits = self.retrieval.search((question,))
        if self.retrieval.reranker and len(hits) > 1:
            yield self.retrieval.reranker(question, hits)
        yield self._answer(question, hits[: self.retrieval.k])


async def answer_or_refusal(
    model: Model, prompt: str, reply_type: type[RagAnswer], **fields: Field
) -> str:
    """Return the model's answer, or the words of its refusal."""
    try:
        return await model.ask(prompt, reply_type, lambda reply: reply.answer, **fields)
    except errors.RefusedError as refusal:
        return refusal.text


def rag_system(
    settings: RagSettings,
    index: HybridIndex,
    model: Model,
    *,
    timed: bool = False,
    cache: MutableMapping[str, RetrievedPassages] | None = None,
) -> RagSystem:
    """Return the RAG of the settings; `cache` has passages retrieved earlier, by question."""
    retrieval = Retrieval(
        retriever=index.ranked_by(settings.retriever),
        rewriter=rewriter_named(settings.rewriting, model),
        reranker=reranker_named(settings.reranker, model),
        k=settings.k,
        candidates=settings.candidates,
        cache=cache,
    )
    return RagSystem(retrieval=retrieval, model=model, prompt=settings.answer_prompt, timed=timed)


def indexed_run(config: EvaluationConfig) -> RunFolder:
    """Return the finished run whose index `rag` uses: that of `index`, or else of the dataset."""
    run = RunFolder(config.index or config.dataset)
    if run.manifest() is None:
        raise errors.StorageError(
            f"{run.path} is not the folder of a run: it has no manifest.json; `rag` answers from "
            "the index of a run; give its folder with --index"
        )
    run.check()
    return run


def embedding_of(config: EvaluationConfig, run: RunFolder) -> Embedding:
    """Return the embedding of the settings, or else that of the run."""
    return embedding_named(config.embedding or run.existing_manifest().knowledge_base.embedding)


def open_index(run: RunFolder, embedding: Embedding) -> HybridIndex:
    """Open the index of a run, which was checked before; embed the passages that are missing."""
    chunks, written = read_journal(run.chunks_path, Chunk), run.existing_manifest().files
    digest = written[run.chunks_path.name].sha256 if run.chunks_path.name in written else ""
    return HybridIndex(chunks, run.index_path, embedding, digest)


def prompts_of(settings: RagSettings) -> tuple[str, ...]:
    """Return the names of the prompts that a RAG with these settings uses."""
    rewriting = REWRITING_PROMPTS.get(settings.rewriting)
    reranking = RERANK if settings.reranker == "model" else None
    return (*filter(None, (rewriting, reranking)), ANSWERING[settings.answer_prompt][0])


KIND = SystemKind(name="rag", settings=frozenset(RagSettings.model_fields))
