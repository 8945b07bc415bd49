"""How far the judges of a grading agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from uaeval.evaluation.judging.agreement import (
    LabelAgreement,
    ScoreAgreement,
    label_agreement,
    score_agreement,
)
from uaeval.evaluation.judging.grades import ALWAYS, Grade, grade
from uaeval.grading.records import JudgeRecord, Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAgreement:
    """Of every two judges, over the answers that both have judged."""

    passes: tuple[LabelAgreement, ...]
    """Whether an answer passes by their scores."""
    scores: tuple[ScoreAgreement, ...]


def agreement(judges: Sequence[str], samples: Sequence[Sample]) -> JudgeAgreement:
    """Compare the judges two by two."""
    records = {name: dict[str, JudgeRecord]() for name in judges}
    for sample in samples:
        for record in sample.judged:
            records[record.judge][record.id] = record
    passes, scores = list[LabelAgreement](), list[ScoreAgreement]()
    for pair in combinations(judges, 2):
        one, other = (records[name] for name in pair)
        passes.append(label_agreement("pass", pair, _passes(one), _passes(other)))
        for metric in ALWAYS:
            values = [
                {name: said.scores[metric] for name, said in each.items() if metric in said.scores}
                for each in (one, other)
            ]
            scores.append(score_agreement(metric, pair, values[0], values[1]))
    return JudgeAgreement(passes=tuple(passes), scores=tuple(scores))


def _passes(records: dict[str, JudgeRecord]) -> dict[str, str]:
    """Say by id whether a judge's scores make a PASS; where one is missing, it says nothing."""
    return {
        name: "pass" if grade(True, said.scores) is Grade.PASS else "fail"
        for name, said in records.items()
        if all(metric in said.scores for metric in ALWAYS)
    }
