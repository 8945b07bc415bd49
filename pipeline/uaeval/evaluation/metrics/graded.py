"""The metrics and the grade of an open answer (`grade`).

The judge labels statements or passages, and the code counts the labels. The definitions are those
of DeepEval's metrics of the same names; correctness is scored in steps of a quarter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from uaeval.errors import ReplyError
from uaeval.evaluation.metrics import final_score
from uaeval.evaluation.metrics.attribution import passages_of
from uaeval.evaluation.metrics.spec import MetricSpec, declared
from uaeval.llm.model import Field, Model
from uaeval.llm.replies import StatementLabels
from uaeval.records import Context

HIGH: Final = 0.8
"""Smallest correctness and smallest relevancy of an answer with the grade PASS."""
PARTLY: Final = 0.6
"""Smallest correctness of an answer with the grade PARTIAL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedMetric(MetricSpec):
    """A metric of open answers."""

    always: bool = False
    """Whether every judge scores every answer; otherwise the primary judge scores the answers that
    had a context."""
    statements_of: tuple[str, ...] = ()
    """The fields of the prompt in which the judge labels statements."""
    of_none: float | None = None
    """The score of a reply without statements; `None` if such a reply is unusable."""

    async def judge(
        self, judge: Model, answered: final_score.AnsweredQuestion, contexts: Sequence[Context]
    ) -> final_score.ExplainedScore:
        """Return the judge's score of an answer, or raise `RecordError`.

        `contexts` are the passages that the model was shown.
        """
        if self.statements_of:
            fields: dict[str, Field] = {**answered._asdict(), "passages": passages_of(contexts)}
            shown = {name: fields[name] for name in self.statements_of}
            return await judge.ask(f"judge/{self.name}", StatementLabels, self._share, **shown)
        if self.name == CORRECTNESS.name:
            return await final_score.judge_correctness(judge, answered)
        return await final_score.judge_passages(
            judge,
            f"judge/{self.name}",
            contexts,
            lambda labels: final_score.ranked_precision([label == "yes" for label in labels]),
            question=answered.question,
            reference=answered.reference,
        )

    def _share(self, reply: StatementLabels) -> final_score.ExplainedScore:
        """Return the share of the statements with the label `yes`."""
        supported = [statement.label == "yes" for statement in reply.statements]
        if self.of_none is None and not supported:
            raise ReplyError("no statement was labelled", raw=reply.model_dump_json())
        explanation = f"{reply.rationale} ({sum(supported)} of {len(supported)} statements)"
        score = sum(supported) / len(supported) if supported else self.of_none or 0.0
        return final_score.ExplainedScore(score=score, explanation=explanation)


GRADED: Final = declared("graded", GradedMetric)
"""The metrics, in the order of the tables."""
CORRECTNESS, RELEVANCY, *_ = GRADED


class Grade(StrEnum):
    """The grade of an open answer by its primary judge."""

    PASS = "PASS"
    PARTIAL = "PARTIAL"
    FAIL = "FAIL"


def grade(format_ok: bool, scores: Mapping[str, float | None]) -> Grade:
    """Return the grade by format, correctness and relevancy; FAIL if a score is missing."""
    correctness, relevancy = scores.get(CORRECTNESS.name), scores.get(RELEVANCY.name)
    if not format_ok or correctness is None or relevancy is None or relevancy < HIGH:
        return Grade.FAIL
    if correctness >= HIGH:
        return Grade.PASS
    return Grade.PARTIAL if correctness >= PARTLY else Grade.FAIL
