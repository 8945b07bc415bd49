"""Answer an open question without context, with context that passes a gate, or with any context."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from uaeval.knowledge.retriever import Hit
from uaeval.llm.model import Field, Model
from uaeval.llm.replies import OpenAnswer
from uaeval.records import Context, Query
from uaeval.systems.context_gate import GateReason, Thresholds, gate, text_length
from uaeval.systems.output_contract import CORRECTIONS, answer_of, violations
from uaeval.systems.rag import answer_or_refusal
from uaeval.systems.retrieval import context_of, numbered

PLAIN = "rag/open_answer"
WITH_CONTEXT = "rag/open_answer_context"
AGAIN = "_again"
"""Suffix of the prompts that ask once more after an output of a wrong form."""
PROMPTS = (PLAIN, WITH_CONTEXT, PLAIN + AGAIN, WITH_CONTEXT + AGAIN)


class Condition(StrEnum):
    """The context that a model receives."""

    NO_RAG = "no_rag"
    RAG_GATED = "rag_gated"
    """All retrieved passages if they pass the gate; otherwise none."""
    RAG_ALWAYS = "rag_always"
    """All retrieved passages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """An answer of one model in one condition, with the gate's decision and the retry."""

    id: str
    """`<query id>/<model>/<condition>`."""
    query_id: str
    model: str
    condition: Condition
    question: str
    reference_answer: str
    output: str
    """The last output of the model, unchanged."""
    answer: str
    """The same without `Final answer:`."""
    rag_context_used: bool
    rag_gate_reason: str | None
    """`None` in the condition `no_rag`, which has no gate."""
    rag_top_score: float | None
    """Best cosine similarity among the retrieved passages."""
    rag_context_chars: int
    rag_returned_chunks: int
    contexts: tuple[Context, ...]
    """The passages shown to the model."""
    format_ok: bool
    format_retry_used: bool
    format_violation_reason: str | None
    """Violations of the first output, joined by `;`."""
    format_violation_reason_after_retry: str | None
    latency_s: float
    """Seconds until the answer; on Ray, only the seconds for reading the stored reply."""


async def answer_openly(
    query: Query, condition: Condition, hits: Sequence[Hit], model: Model, thresholds: Thresholds
) -> RunRecord:
    """Ask a model a question; ask once more if the output has a wrong form."""
    started = time.perf_counter()
    if condition is Condition.NO_RAG:
        hits, reason = (), None
    else:
        reason = gate(hits, thresholds if condition is Condition.RAG_GATED else None)
    context_used = reason in (GateReason.GATING_DISABLED, GateReason.PASS)
    shown, question = tuple(hits) if context_used else (), query.conversation
    first = await _ask(model, question, shown)
    before = violations(first)
    again = {"first_answer": first, "wrong": "; ".join(CORRECTIONS[name] for name in before)}
    last = await _ask(model, question, shown, **again) if before else first
    after = violations(last) if before else ()
    return RunRecord(
        id=f"{query.id}/{model.name}/{condition}",
        query_id=query.id,
        model=model.name,
        condition=condition,
        question=question,
        reference_answer=query.reference_answer or "",
        output=last,
        answer=answer_of(last),
        rag_context_used=bool(shown),
        rag_gate_reason=reason,
        rag_top_score=max((hit.similarity for hit in hits), default=None),
        rag_context_chars=text_length(hits),
        rag_returned_chunks=len(hits),
        contexts=tuple(map(context_of, shown)),
        format_ok=not after,
        format_retry_used=bool(before),
        format_violation_reason=";".join(before) or None,
        format_violation_reason_after_retry=";".join(after) or None,
        latency_s=round(time.perf_counter() - started, 3),
    )


async def _ask(model: Model, question: str, shown: Sequence[Hit], **again: str) -> str:
    prompt = (WITH_CONTEXT if shown else PLAIN) + (AGAIN if again else "")
    passages = {"passages": numbered(shown)} if shown else {}
    fields: dict[str, Field] = {"question": question, **again, **passages}
    return await answer_or_refusal(model, prompt, OpenAnswer, **fields)
