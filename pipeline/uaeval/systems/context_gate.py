"""Decide whether retrieved context is shown to the model."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from uaeval.knowledge.retriever import Hit


class GateReason(StrEnum):
    """Why the context was used or not: the first reason that applies."""

    EMPTY_CONTEXT = "empty_context"
    GATING_DISABLED = "gating_disabled"
    CONTEXT_TOO_SHORT = "context_too_short"
    TOO_FEW_CHUNKS = "too_few_chunks"
    LOW_TOP_SCORE = "low_top_score"
    PASS = "pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """The minima for a context to pass the gate; `similarity` depends on the embedding."""

    characters: int = 200
    chunks: int = 2
    similarity: float = 0.62
    """Best cosine similarity of question and passage, never a fused rank score."""


def gate(hits: Sequence[Hit], thresholds: Thresholds | None) -> GateReason:
    """Return the gate's decision on the hits; without thresholds, any text passes."""
    if not (characters := text_length(hits)):
        return GateReason.EMPTY_CONTEXT
    if thresholds is None:
        return GateReason.GATING_DISABLED
    if characters < thresholds.characters:
        return GateReason.CONTEXT_TOO_SHORT
    if len(hits) < thresholds.chunks:
        return GateReason.TOO_FEW_CHUNKS
    if max(hit.similarity for hit in hits) < thresholds.similarity:
        return GateReason.LOW_TOP_SCORE
    return GateReason.PASS


def text_length(hits: Sequence[Hit]) -> int:
    """Return the characters of the hits' texts."""
    return sum(len(hit.chunk.text) for hit in hits)
