"""The outcome of one question to one model in one condition, with the judges' scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

from pydantic import Field

from uaeval.evaluation.metrics.graded import CORRECTNESS, RELEVANCY, Grade, grade
from uaeval.records import Query
from uaeval.systems.conditions import RunRecord

ANSWER: Final = "answer"
JUDGE: Final = "judge"
_RANKS: Final = (None, Grade.FAIL, Grade.PARTIAL, Grade.PASS)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRecord:
    """One judge's scores of one answer by metric; a failed metric is only in `errors`."""

    id: str
    """The id of the run record."""
    query_id: str
    model: str
    condition: str
    judge: str
    scores: dict[str, Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]]
    rationales: dict[str, str]
    errors: dict[str, str]


class Cell(NamedTuple):
    """One model in one condition."""

    model: str
    condition: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The outcome of one question to one model in one condition."""

    query: Query
    cell: Cell
    run: RunRecord | None = None
    """`None` if there is no answer."""
    error: str | None = None
    """Why there is no answer, or the errors of the primary judge."""
    blocked: bool = False
    """Whether a content filter blocked the model."""
    judged: tuple[JudgeRecord, ...] = ()
    """The primary judge first; empty without an answer, or if its format is wrong."""

    @property
    def primary(self) -> JudgeRecord | None:
        """The record of the primary judge."""
        return self.judged[0] if self.judged else None

    @property
    def scores(self) -> Mapping[str, float]:
        """Those of the primary judge."""
        return self.primary.scores if self.primary else {}

    @property
    def grade(self) -> Grade | None:
        """The grade; `None` without an answer."""
        return grade(self.run.format_ok, self.scores) if self.run else None

    @property
    def passes(self) -> bool | None:
        """Whether the grade is PASS; `None` after a failed or blocked call."""
        return None if self.error or self.blocked else self.grade is Grade.PASS

    @property
    def rank(self) -> tuple[float, ...]:
        """A sort key, greater for better samples; a missing score is less than 0."""
        scores = (self.scores.get(metric.name, -1.0) for metric in (CORRECTNESS, RELEVANCY))
        return (_RANKS.index(self.grade), *scores)
