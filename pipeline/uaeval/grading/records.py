"""What a judge says of one graded answer, and the row that people review."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from pydantic import Field

from uaeval.evaluation.metrics.graded import Grade, grade
from uaeval.systems.conditions import RunRecord

ShareOfOne: TypeAlias = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRecord:
    """One judge's scores of one answer; a metric that failed stands under `errors` alone."""

    id: str
    """That of the run record."""
    query_id: str
    model: str
    condition: str
    judge: str
    scores: dict[str, ShareOfOne]
    """By metric."""
    rationales: dict[str, str]
    errors: dict[str, str]
    """What went wrong, by metric: errors are no scores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One question to one model in one condition, when it has ended."""

    query_id: str
    question: str
    reference_answer: str
    document: str
    """The source document: what intervals are clustered by."""
    model: str
    condition: str
    run: RunRecord | None
    """`None` where no answer came."""
    error: str | None
    """Why no answer came, or what of the primary judge's failed."""
    blocked: bool
    """Whether a content filter stopped the model."""
    judged: tuple[JudgeRecord, ...]
    """The primary judge first; empty where there was no answer, or its form is broken."""

    @property
    def primary(self) -> JudgeRecord | None:
        """What the first judge says."""
        return self.judged[0] if self.judged else None

    @property
    def scores(self) -> Mapping[str, float]:
        """The primary judge's."""
        return self.primary.scores if self.primary else {}

    @property
    def grade(self) -> Grade | None:
        """The grade; `None` where no answer came."""
        return grade(self.run.format_ok, self.scores) if self.run else None

    @property
    def passes(self) -> bool | None:
        """Whether it is a PASS; `None` where a failed call leaves that open."""
        return None if self.error or self.blocked else self.grade is Grade.PASS
