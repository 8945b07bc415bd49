"""Nonsensical: the query has no coherent reading, though it uses the knowledge base's terms."""

from typing import Literal

from uaeval.categories.base import CategorySpec
from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.verification import Unsuitable, VerifierResult, result_of
from uaeval.errors import ReplyError
from uaeval.llm.replies import Draft, Naturalness, Reasoned, TwinCheck
from uaeval.records import Candidate

PASSING = "no_coherent_reading"


class NonsensicalDraft(Draft):
    """A query that has no coherent reading."""

    subtype: Literal["cut_off", "pasted", "overheard", "misspelled", "illogical", "category_error"]


class NonsensicalVerification(Reasoned):
    """The nearest sensible question, if there is one, and whether the passages answer it."""

    repair: str | None
    label: Literal[
        "no_coherent_reading",
        "repair_is_answered",
        "repair_is_contradicted",
        "repair_is_unanswered",
        Unsuitable,
    ]
    natural: Naturalness
    twin: TwinCheck


def _read(
    candidate: Candidate, reply: NonsensicalVerification, shown: NumberedPassages
) -> VerifierResult:
    if reply.repair is not None and reply.label == PASSING:
        raise ReplyError(f"there is no coherent reading, and yet a repair: {reply.repair!r}")
    return result_of(candidate, reply, shown)


CATEGORY = CategorySpec(
    name="nonsensical",
    definition="Has no coherent reading, though it uses the knowledge base's own terms.",
    acceptance="Declines, asks what is meant, or says that it makes no sense.",
    difficulty="medium",
    assigned=(
        *("cut_off", "cut_off", "cut_off", "cut_off", "misspelled"),
        *("cut_off", "cut_off", "cut_off", "cut_off", "overheard"),
        *("cut_off", "cut_off", "cut_off", "cut_off", "illogical"),
        *("cut_off", "pasted", "cut_off", "category_error", "cut_off"),
    ),
    draft=NonsensicalDraft,
    choices=3,
    verification=NonsensicalVerification,
    passing_label=PASSING,
    read_verification=_read,
    uaeval4rag_name="incomprehensible",
)
