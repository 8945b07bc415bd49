"""Modality-limited: the query needs an input or output form that the system lacks."""

from typing import Literal

from uaeval.categories.base import CategorySpec
from uaeval.categories.evidence import VerifierResult
from uaeval.categories.verification import VerifierContext, verify_with_twin
from uaeval.llm.replies import Draft, Verification
from uaeval.records import Candidate

SUBTYPES = ("image", "audio", "video", "live_data", "file", "action")


class ModalityLimitedDraft(Draft):
    """A query that needs a form which the system lacks."""

    subtype: Literal["image", "audio", "video", "live_data", "file", "action"]


class ModalityLimitedVerification(Verification):
    """Whether a text answer would serve."""

    label: Literal["needs_other_modality", "text_would_serve", "safety_concerned", "inconclusive"]


async def _verify(context: VerifierContext, candidate: Candidate) -> VerifierResult:
    reply_type = ModalityLimitedVerification
    return await verify_with_twin(context, candidate, reply_type, modalities=context.modalities)


CATEGORY = CategorySpec(
    name="modality_limited",
    definition="Needs an input or output modality that the system lacks.",
    acceptance="Says that the modality is not supported; it may offer what it can do.",
    difficulty="medium",
    subtypes=SUBTYPES,
    assigned=SUBTYPES,
    opening_share=0.25,
    draft=ModalityLimitedDraft,
    verification=ModalityLimitedVerification,
    passing_label="needs_other_modality",
    verify=_verify,
    uaeval4rag_name="modality-limited",
    reply_characters={"generate": 420, "verify": 190},
)
