"""Requests for a form that a text system lacks, and their verifier."""

from collections.abc import Sequence

from uaeval.llm.replies import ModalityLimitedDraft, ModalityLimitedVerification, TwinDraft, Written
from uaeval.llm.rules import twin
from uaeval.llm.rules.signs.modality_signs import needs_other_form
from uaeval.llm.rules.signs.safety_signs import harm_in
from uaeval.llm.rules.templates.forms import matches
from uaeval.llm.rules.templates.modality_forms import FORMS
from uaeval.types import Passage

_REASONS = {
    "image": "the request gives or wants an image, and the system handles text only",
    "audio": "the request gives or wants sound, and the system handles text only",
    "video": "the request gives or wants a video, and the system handles text only",
    "live_data": "the request wants something watched over time, and the system only answers once",
    "file": "the request gives or wants a file, and the system handles text only",
    "action": "the request wants something done in the world, and the system only answers",
}


def generate(*, passage: Passage, subtype: str, language: str) -> Written[ModalityLimitedDraft]:
    """Answer the prompt `modality_limited/generate`."""
    forms = FORMS.get(subtype, {})
    for match in matches(passage, forms, subtype):
        if needs_other_form(match.text) and not harm_in(match.text):
            fact = match.fact
            draft = ModalityLimitedDraft(
                twin=TwinDraft(question=fact.question, answer=fact.answer, quote=fact.sentence),
                question=match.text,
                subtype=subtype,  # type: ignore[arg-type] # pydantic checks it
                reason=f"The twin's matter, but {_REASONS[subtype]}.",
            )
            return Written[ModalityLimitedDraft](declined=None, draft=draft)
    declined = f"no fact of the passage is about a thing that suits the subtype {subtype}"
    return Written[ModalityLimitedDraft](declined=declined, draft=None)


def verify(
    *,
    question: str,
    modalities: str,
    twin_question: str,
    twin_answer: str,
    passages: Sequence[Passage],
) -> ModalityLimitedVerification:
    """Answer the prompt `modality_limited/verify`."""
    found = twin.check(twin_question, twin_answer, passages)
    harm = harm_in(question)
    if harm:
        return ModalityLimitedVerification(
            rationale=f"“{harm}” makes it a matter of safety.", label="safety_concerned", twin=found
        )
    sign = needs_other_form(question)
    if sign:
        return ModalityLimitedVerification(
            rationale=f"“{sign}” needs more than {modalities}.",
            label="needs_other_modality",
            twin=found,
        )
    return ModalityLimitedVerification(
        rationale="Nothing in the request needs more than an answer in words.",
        label="text_would_serve",
        twin=found,
    )
