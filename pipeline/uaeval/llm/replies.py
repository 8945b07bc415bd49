"""The types of reply that models give. Any other text is a `ReplyError`, never a default."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, model_validator


class Reply(BaseModel):
    """Base of every reply: unknown keys and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    plain_field: ClassVar[str | None] = None
    """The field that a plain-text reply fills, with all other fields empty; `None` if the reply
    must be JSON."""


class Reasoned(Reply):
    """A reply that begins with its reasons, so that the model reasons before it decides."""

    rationale: str


class TwinDraft(Reply):
    """An answerable question, its answer, and the words of the passage that give it."""

    question: str
    answer: str
    quote: str


class Draft(Reply):
    """The common fields of all drafts: the twin first, then the query with its one change."""

    twin: TwinDraft
    question: str
    reason: str


class Need(Reply):
    """What the asker is doing and wants, which an author writes down first."""

    need: str


class ReadingDraft(Reply):
    """One completion of an underspecified query; `passage` is the number of its passage."""

    question: str
    value: str
    passage: int
    answer: str


class CompletionDraft(Reply):
    """The fields that a user's own query needs for its proof; `passage` is the twin's."""

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
    """A draft, or the reason why the passage is not suitable; exactly one of the two."""

    declined: str | None
    draft: D | None

    @model_validator(mode="after")
    def _exactly_one(self) -> "Written[D]":
        if (self.declined is None) == (self.draft is None):
            raise ValueError("give exactly one of `declined` and `draft`, and null for the other")
        return self


class ClaimStances(Reply):
    """Numbers of the passages that support or contradict one claim; the others are silent."""

    supports: list[int]
    contradicts: list[int]


Naturalness: TypeAlias = Literal["likely", "odd", "contrived"] | None
"""Whether a user would type a query in these words; `None` if the verifier cannot tell."""


class TwinCheck(Reply):
    """Whether the twin is a complete question, and the stances of passages on its answer."""

    stands_alone: bool
    supports: list[int]
    contradicts: list[int]


class Verification(Reasoned):
    """A verifier's label of a query, one of its category's, and its check of the twin.

    The label `inconclusive` is for the offline verifier, which proves little; no prompt offers it.
    """

    label: str
    twin: TwinCheck


class ClaimCheck(Reply):
    """Whether a claim's question is complete, and the stances of passages on its answer."""

    claim: int
    stands_alone: bool
    supports: list[int]
    contradicts: list[int]


class VerdictJudgement(Reasoned):
    """How the response treats the query."""

    label: Literal["clarified", "refused", "partial", "answered", "undecided"]


class YesNoJudgement(Reasoned):
    """Whether a response is acceptable, or correct."""

    label: Literal["yes", "no", "undecided"]


class ScoreJudgement(Reasoned):
    """A graded score in [0, 1]."""

    score: float

    @model_validator(mode="after")
    def _in_range(self) -> "ScoreJudgement":
        if not 0 <= self.score <= 1:
            raise ValueError(f"score should be from 0 to 1, got {self.score}")
        return self


class RelevancyJudgement(Reasoned):
    """One grade for each passage, in the order of the passages."""

    grades: list[Literal["relevant", "partly", "irrelevant"]]


class EvidenceJudgement(Reasoned):
    """Whether the passages hold the evidence that a right response needs."""

    label: Literal["present", "absent"]


class StatementLabel(Reply):
    """One statement of a text, and whether it holds."""

    statement: str
    label: Literal["yes", "no"]


class StatementLabels(Reasoned):
    """The statements of a text, possibly none, each with a label."""

    statements: list[StatementLabel]


class PassageLabels(Reasoned):
    """Whether each passage helps, in the order of the passages."""

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


class RagAnswer(Reply):
    """The answer to the user. Models that decline often omit the JSON."""

    plain_field: ClassVar[str | None] = "answer"

    answer: str


class ClosedBookAnswer(Reply):
    """A model's answer without passages; `None` if it does not answer."""

    answer: str | None


class CheckedRagAnswer(RagAnswer, Reasoned):
    """An answer after a rationale about the passages, which the user does not see."""


class OpenAnswer(RagAnswer):
    """An answer whose format the code checks."""


class ImaginedPassage(Reply):
    """An invented passage that would answer the question, or null if none should be written."""

    passage: str | None


class Rewordings(Reply):
    """Other wordings of a question for the search, possibly none."""

    queries: list[str]


class PassageOrder(Reply):
    """Numbers of the passages that are relevant to a question, most useful first."""

    order: list[int]


@cache
def reply_format(reply_type: type[Reply]) -> dict[str, Any]:
    """Return OpenAI's `response_format` for a reply, as providers' strict mode requires it.

    Every reply forbids unknown keys and has no defaults, so `additionalProperties` is false and all
    properties are required. Titles and descriptions are left out, and definitions are inlined,
    because a provider counts the schema's tokens on every call. No reply type is recursive.
    """
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", reply_type.__name__).strip("_")[:64]
    schema = reply_type.model_json_schema()
    short = _inlined(schema, schema.get("$defs", {}))
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": short}}


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Return the schema with its definitions inlined, and without titles and descriptions."""
    if isinstance(schema, list):
        return [_inlined(part, definitions) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    return {
        key: {name: _inlined(field, definitions) for name, field in part.items()}
        if key == "properties"
        else _inlined(part, definitions)
        for key, part in schema.items()
        if key not in {"title", "description", "$defs"}
    }
