"""How far the judges of a grading agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from uaeval.evaluation.judging.agreement import (
    LabelAgreement,
    ScoreAgreement,
    label_agreement,
    score_agreement,
)
from uaeval.evaluation.metrics.graded import GRADED, Grade, grade
from uaeval.grading.records import JudgeRecord, Sample

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
