"""The gate: whether retrieved passages are shown to a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from uaeval.types import Hit


class GateReason(StrEnum):
    """Why the context was used or not; the first reason that applies."""

    EMPTY_CONTEXT = "empty_context"
    GATING_DISABLED = "gating_disabled"
    CONTEXT_TOO_SHORT = "context_too_short"
    TOO_FEW_CHUNKS = "too_few_chunks"
    LOW_TOP_SCORE = "low_top_score"
    PASS = "pass"


_OPEN: Final = frozenset({GateReason.GATING_DISABLED, GateReason.PASS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """The least that a context must have; similarities differ between embeddings."""

    characters: int = 200
    chunks: int = 2
    similarity: float = 0.62
    """Best cosine similarity of question and passage, never a fused rank score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateDecision:
    """The gate's decision and what it is based on."""

    reason: GateReason
    top_score: float | None
    """Best cosine similarity; `None` if nothing was retrieved."""
    context_chars: int
    returned_chunks: int

    @property
    def context_used(self) -> bool:
        """Whether the model is shown the context."""
        return self.reason in _OPEN


def gate(hits: Sequence[Hit], thresholds: Thresholds | None) -> GateDecision:
    """Compare the hits with the thresholds; without thresholds, any text passes."""
    characters = sum(len(hit.chunk.text) for hit in hits)
    top = max((hit.similarity for hit in hits), default=None)
    return GateDecision(
        reason=_reason(characters, len(hits), top, thresholds),
        top_score=top,
        context_chars=characters,
        returned_chunks=len(hits),
    )


def _reason(
    characters: int, chunks: int, top: float | None, thresholds: Thresholds | None
) -> GateReason:
    if top is None or not characters:
        return GateReason.EMPTY_CONTEXT
    if thresholds is None:
        return GateReason.GATING_DISABLED
    if characters < thresholds.characters:
        return GateReason.CONTEXT_TOO_SHORT
    if chunks < thresholds.chunks:
        return GateReason.TOO_FEW_CHUNKS
    if top < thresholds.similarity:
        return GateReason.LOW_TOP_SCORE
    return GateReason.PASS
