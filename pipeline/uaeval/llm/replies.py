"""The shapes in which a model may reply. Anything else is a `ReplyError`, never a default."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, model_validator


class Reply(BaseModel):
    """Base of every reply: unknown keys and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    plain_field: ClassVar[str | None] = None
    """The field that a reply in plain text fills, the others being empty texts then; `None` where
    only JSON will do."""


class Reasoned(Reply):
    """A reply that gives its reasons first, so that what follows rests on them."""

    rationale: str


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


class Verification(Reasoned):
    """What a verifier says of a query and its twin; a category names its labels."""

    label: str
    twin: TwinCheck


class ClaimCheck(Reply):
    """Whether a claim's question stands on its own, and which passages agree with its answer."""

    claim: int
    stands_alone: bool
    supports: list[int]
    contradicts: list[int]


# --- what judges say ----------------------------------------------------------------------------


class VerdictJudgement(Reasoned):
    """How the response treats the query."""

    label: Literal["clarified", "refused", "partial", "answered", "undecided"]


class YesNoJudgement(Reasoned):
    """Acceptable or not; correct or not."""

    label: Literal["yes", "no", "undecided"]


class ScoreJudgement(Reasoned):
    """A graded score in [0, 1]."""

    score: float

    @model_validator(mode="after")
    def _in_range(self) -> "ScoreJudgement":
        if not 0 <= self.score <= 1:
            raise ValueError(f"score lies from 0 to 1, got {self.score}")
        return self


class RelevancyJudgement(Reasoned):
    """One grade for each passage, in their order."""

    grades: list[Literal["relevant", "partly", "irrelevant"]]


class EvidenceJudgement(Reasoned):
    """Whether passages hold what a right response needs."""

    label: Literal["present", "absent"]


class StatementLabel(Reply):
    """One statement of a text, and whether it holds."""

    statement: str
    label: Literal["yes", "no"]


class StatementLabels(Reasoned):
    """A text taken apart into statements; there may be none."""

    statements: list[StatementLabel]


class PassageLabels(Reasoned):
    """Whether each passage helps, in their order."""

    labels: list[Literal["yes", "no"]]


class PhraseQuestion(Reply):
    """A short-answer question about a key phrase."""

    phrase: str
    question: str


class QuestQuestions(Reasoned):
    """Short-answer questions about a text."""

    questions: list[PhraseQuestion]


class QuestAnswers(Reasoned):
    """Short answers from one text, in the order of the questions."""

    answers: list[str]


# --- what the built-in RAG says -----------------------------------------------------------------


class RagAnswer(Reply):
    """What the built-in RAG says to the user; models that decline often drop the JSON."""

    plain_field: ClassVar[str | None] = "answer"

    answer: str


class ClosedBookAnswer(Reply):
    """What a model says without passages; `None` if it does not answer."""

    answer: str | None


class CheckedRagAnswer(Reasoned):
    """An answer after a rationale about the passages; only the answer goes to the user."""

    plain_field: ClassVar[str | None] = "answer"

    answer: str


class OpenAnswer(RagAnswer):
    """An answer under the output contract, which the code checks."""


class ImaginedPassage(Reply):
    """A passage that would answer the question, or null where none should be written."""

    passage: str | None


class Rewordings(Reply):
    """Other wordings of a question to search by; there may be none."""

    queries: list[str]


class PassageOrder(Reply):
    """Numbers of the passages that are relevant to a question, the most useful first."""

    order: list[int]


# --- JSON schemas -------------------------------------------------------------------------------


@cache
def reply_schema(reply_type: type[Reply]) -> dict[str, object]:
    """Return the JSON schema of a reply, as providers' strict mode wants it.

    Every reply forbids unknown keys and has no defaults, so that `additionalProperties` is false
    and all properties are required without further ado. Titles and descriptions are left out:
    the prompts say what is meant, and a provider counts the schema's tokens on every call. For the
    same reason each definition stands where it is used; no reply holds another of its own kind.
    """
    schema = reply_type.model_json_schema()
    short = _shortened(schema, schema.get("$defs", {}))
    assert isinstance(short, dict)
    return short


def _shortened(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Put definitions where they are referred to, and leave titles and descriptions out."""
    if isinstance(schema, list):
        return [_shortened(part, definitions) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _shortened(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    return {
        key: {name: _shortened(field, definitions) for name, field in part.items()}
        if key == "properties"
        else _shortened(part, definitions)
        for key, part in schema.items()
        if key not in {"title", "description", "$defs"}
    }


@cache
def reply_format(reply_type: type[Reply]) -> dict[str, object]:
    """Return OpenAI's `response_format` that makes an endpoint reply in this shape."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", reply_type.__name__).strip("_")[:64]
    schema = {"name": name, "strict": True, "schema": reply_schema(reply_type)}
    return {"type": "json_schema", "json_schema": schema}
