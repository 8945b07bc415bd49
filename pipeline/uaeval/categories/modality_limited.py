"""Modality-limited: the query needs an input or output form that the system lacks."""

from typing import Literal

from uaeval.categories.base import CategorySpec
from uaeval.llm.replies import Draft, Naturalness, Verification

Subtype = Literal["image", "audio", "video", "live_data", "file", "action"]


class ModalityLimitedDraft(Draft):
    """A query that needs an input or output form that the system lacks."""

    subtype: Subtype


class ModalityLimitedVerification(Verification):
    """Whether an answer in text would be enough."""

    label: Literal["needs_other_modality", "text_would_serve", "safety_concerned", "inconclusive"]
    natural: Naturalness


CATEGORY = CategorySpec(
    name="modality_limited",
    voiced=True,
    definition="Needs an input or output modality that the system lacks.",
    acceptance="Says that the modality is not supported; it may offer what it can do.",
    difficulty="medium",
    assigned=(
        *("image", "action", "file", "live_data", "image"),
        *("action", "file", "audio", "image", "video"),
    ),
    opening_share=0.25,
    draft=ModalityLimitedDraft,
    choices=3,
    verification=ModalityLimitedVerification,
    passing_label="needs_other_modality",
    verifier_fields=lambda context, _candidate: {"modalities": context.modalities},
    uaeval4rag_name="modality-limited",
)
