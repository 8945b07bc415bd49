"""The shapes in which a model may reply. Anything else is a `ReplyError`, never a default.

Rationale comes before the label, so that the label follows from it.
"""

from typing import ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, model_validator


class Reply(BaseModel):
    """Base of every reply: unknown keys and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    plain_field: ClassVar[str | None] = None
    """The field that a reply in plain text fills, the others being empty texts then; `None` where
    only JSON will do."""


# --- what authors write -------------------------------------------------------------------------


class TwinDraft(Reply):
    """An answerable question, its answer, and the words of the passage that give it."""

    question: str
    answer: str
    quote: str


class Draft(Reply):
    """What every author writes: the twin first, then the query with its one change."""

    twin: TwinDraft
    question: str
    reason: str


class ReadingDraft(Reply):
    """One completion of an underspecified query; `passage` is the number it was shown under."""

    question: str
    value: str
    passage: int
    answer: str


class UnderspecifiedDraft(Draft):
    """A query with several readings; `subtype` is what is missing."""

    subtype: Literal["time", "location", "entity", "quantity", "version"]
    readings: list[ReadingDraft]


class FalsePresuppositionDraft(Draft):
    """A query that takes for granted what the passage contradicts."""

    premise: str
    fact: str


class NonsensicalDraft(Draft):
    """A query that has no coherent reading."""

    subtype: Literal["illogical", "category_error", "garbled"]


class ModalityLimitedDraft(Draft):
    """A query that needs a form which the system lacks."""

    subtype: Literal["image", "audio", "video", "live_data", "file", "action"]


class SafetyConcernedDraft(Draft):
    """A query that asks for a harmful, illegal, private or abusive act."""

    subtype: Literal["harm", "illegal", "privacy", "abuse", "explicit"]


class OutOfDatabaseDraft(Draft):
    """A query that only the outside article answers; the twin is from the passage named."""

    passage: int
    outside_answer: str
    phrasings: list[str]


class CompletionDraft(Reply):
    """What a user's own query lacks for its proof; `passage` is the number of the twin's."""

    twin: TwinDraft
    passage: int
    reason: str
    premise: str | None
    fact: str | None
    readings: list[ReadingDraft]
    outside_answer: str | None
    phrasings: list[str]


D = TypeVar("D", bound=Reply, covariant=True)


class Written(Reply, Generic[D]):
    """A draft, or the reason why this passage cannot serve; exactly one of the two."""

    declined: str | None
    draft: D | None

    @model_validator(mode="after")
    def _exactly_one(self) -> "Written[D]":
        if (self.declined is None) == (self.draft is None):
            raise ValueError("give exactly one of `declined` and `draft`, and null for the other")
        return self


# --- what verifiers say -------------------------------------------------------------------------
# `inconclusive` is for the offline verifier, which proves little; no prompt offers it.


class ClaimStances(Reply):
    """Numbers of the passages that support and that contradict one claim; the rest are silent."""

    supports: list[int]
    contradicts: list[int]


class TwinCheck(Reply):
    """Whether the twin stands on its own, and which passages agree with its reference answer."""

    stands_alone: bool
    supports: list[int]
    contradicts: list[int]


class UnderspecifiedVerification(Reply):
    """What a reader without the readings makes of the query."""

    rationale: str
    label: Literal[
        "several_readings",
        "one_answer",
        "general_rule",
        "dominant_reading",
        "no_reading",
        "false_presupposition",
        "nonsensical",
        "modality_limited",
        "safety_concerned",
        "inconclusive",
    ]


class ClaimCheck(Reply):
    """Whether a claim's question stands on its own, and which passages agree with its answer."""

    claim: int
    stands_alone: bool
    supports: list[int]
    contradicts: list[int]


class ReadingsVerification(Reply):
    """A check of the twin of an underspecified query and of all its readings, in that order."""

    rationale: str
    claims: list[ClaimCheck]


class FalsePresuppositionVerification(Reply):
    """Whether the query takes the premise for granted, and what each passage says about it."""

    rationale: str
    premise: ClaimStances
    label: Literal[
        "takes_for_granted",
        "asks_whether",
        "not_in_query",
        "nonsensical",
        "modality_limited",
        "safety_concerned",
        "inconclusive",
    ]
    twin: TwinCheck


class NonsensicalVerification(Reply):
    """The nearest sensible question, if there is one, and whether the passages speak to it."""

    rationale: str
    repair: str | None
    label: Literal[
        "no_coherent_reading",
        "repair_is_answered",
        "repair_is_contradicted",
        "repair_is_unanswered",
        "modality_limited",
        "safety_concerned",
        "inconclusive",
    ]
    twin: TwinCheck


class ModalityLimitedVerification(Reply):
    """Whether a text answer would serve."""

    rationale: str
    label: Literal["needs_other_modality", "text_would_serve", "safety_concerned", "inconclusive"]
    twin: TwinCheck


class SafetyConcernedVerification(Reply):
    """Whether answering would help harm, and whether the twin is harmless."""

    rationale: str
    label: Literal["harmful", "harmless", "inconclusive"]
    twin_is_harmless: bool
    twin: TwinCheck


class OutOfDatabaseVerification(Reply):
    """Whether the query stands alone, and which passages answer it."""

    rationale: str
    answer: ClaimStances
    label: Literal[
        "not_answered",
        "answered",
        "does_not_stand_alone",
        "underspecified",
        "false_presupposition",
        "nonsensical",
        "modality_limited",
        "safety_concerned",
        "inconclusive",
    ]
    twin: TwinCheck


# --- what judges say ----------------------------------------------------------------------------


class VerdictJudgement(Reply):
    """How the response treats the query."""

    rationale: str
    label: Literal["clarified", "refused", "partial", "answered", "undecided"]


class YesNoJudgement(Reply):
    """Acceptable or not; correct or not."""

    rationale: str
    label: Literal["yes", "no", "undecided"]


class ScoreJudgement(Reply):
    """A graded score in [0, 1]."""

    rationale: str
    score: float

    @model_validator(mode="after")
    def _in_range(self) -> "ScoreJudgement":
        if not 0 <= self.score <= 1:
            raise ValueError(f"score lies from 0 to 1, got {self.score}")
        return self


class RelevancyJudgement(Reply):
    """One grade for each passage, in their order."""

    rationale: str
    grades: list[Literal["relevant", "partly", "irrelevant"]]


class EvidenceJudgement(Reply):
    """Whether passages hold what a right response needs."""

    rationale: str
    label: Literal["present", "absent"]


class StatementLabel(Reply):
    """One statement of a text, and whether it holds."""

    statement: str
    label: Literal["yes", "no"]


class StatementLabels(Reply):
    """A text taken apart into statements; there may be none."""

    rationale: str
    statements: list[StatementLabel]


class PassageLabels(Reply):
    """Whether each passage helps, in their order."""

    rationale: str
    labels: list[Literal["yes", "no"]]


class PhraseQuestion(Reply):
    """A short-answer question about a key phrase."""

    phrase: str
    question: str


class QuestQuestions(Reply):
    """Short-answer questions about a text."""

    rationale: str
    questions: list[PhraseQuestion]


class QuestAnswers(Reply):
    """Short answers from one text, in the order of the questions."""

    rationale: str
    answers: list[str]
