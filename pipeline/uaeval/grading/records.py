"""What judges say of a graded answer, the row that people review, and how far judges agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import Field

from uaeval.evaluation.judging.agreement import (
    LabelAgreement,
    ScoreAgreement,
    label_agreement,
    score_agreement,
)
from uaeval.evaluation.metrics.graded import GRADED, Grade, grade
from uaeval.systems.conditions import RunRecord
from uaeval.types import Query

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


class Cell(NamedTuple):
    """One model in one condition."""

    model: str
    condition: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One question to one model in one condition, when it has ended."""

    query: Query
    cell: Cell
    run: RunRecord | None = None
    """`None` where no answer came."""
    error: str | None = None
    """Why no answer came, or what of the primary judge's failed."""
    blocked: bool = False
    """Whether a content filter stopped the model."""
    judged: tuple[JudgeRecord, ...] = ()
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


_SHARED = tuple(metric.name for metric in GRADED if metric.always)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAgreement:
    """Of every two judges, over the answers that both have judged."""

    passes: tuple[LabelAgreement, ...]
    """Whether an answer passes by their scores."""
    scores: tuple[ScoreAgreement, ...]


def agreement(judges: Sequence[str], samples: Sequence[Sample]) -> JudgeAgreement:
    """Compare the judges two by two."""
    records = [record for sample in samples for record in sample.judged]
    by_judge = {
        name: {record.id: record for record in records if record.judge == name} for name in judges
    }
    passes = {name: _passes(members) for name, members in by_judge.items()}
    pairs = list(combinations(judges, 2))
    return JudgeAgreement(
        passes=tuple(
            label_agreement("pass", pair, passes[pair[0]], passes[pair[1]]) for pair in pairs
        ),
        scores=tuple(
            score_agreement(metric, pair, *(_scores(metric, by_judge[name]) for name in pair))
            for pair in pairs
            for metric in _SHARED
        ),
    )


def _scores(metric: str, records: Mapping[str, JudgeRecord]) -> dict[str, float]:
    return {name: said.scores[metric] for name, said in records.items() if metric in said.scores}


def _passes(records: Mapping[str, JudgeRecord]) -> dict[str, str]:
    """Return by id whether a judge's scores make a PASS; where one is missing, nothing."""
    return {
        name: "pass" if grade(True, said.scores) is Grade.PASS else "fail"
        for name, said in records.items()
        if all(metric in said.scores for metric in _SHARED)
    }
