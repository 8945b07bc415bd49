"""The metrics of `grade`: what an open answer is judged for, and the grade that follows.

The judge labels statements or passages, the code counts. The definitions are those of DeepEval's
metrics of the same names; correctness is graded against the reference in quarters.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pydantic import ConfigDict, TypeAdapter

from uaeval.errors import ReplyError
from uaeval.evaluation.metrics.attribution import passages_of
from uaeval.evaluation.metrics.final_score import judge_correctness
from uaeval.evaluation.metrics.relevancy import ExplainedScore, judge_passages, ranked_precision
from uaeval.evaluation.metrics.spec import MetricSpec, declared
from uaeval.llm.model import Model
from uaeval.llm.replies import StatementLabels
from uaeval.prompts import Field
from uaeval.records import Context

HIGH: Final = 0.8
"""From this correctness, and this relevancy, on an answer passes."""
PARTLY: Final = 0.6
"""From this correctness on it passes in part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAnswer:
    """What is judged."""

    question: str
    reference: str
    text: str
    contexts: tuple[Context, ...]
    """What the model was shown; empty where it was shown none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedMetric(MetricSpec):
    """A metric of open answers."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    always: bool = False
    """Whether every judge is asked of every answer; else the primary judge is, of answers that
    were given a context."""
    statements_of: tuple[str, ...] = ()
    """What the judge is shown to label statements."""
    of_none: float | None = None
    """The score where there is no statement; without it, such a reply cannot be used."""

    async def judge(self, answer: OpenAnswer, judge: Model) -> ExplainedScore:
        """Have an answer judged.

        Raises:
            RecordError: the judge could not be asked or understood.
        """
        if self.statements_of:
            fields: dict[str, Field] = {
                "question": answer.question,
                "reference": answer.reference,
                "response": answer.text,
                "passages": passages_of(answer.contexts),
            }
            shown = {name: fields[name] for name in self.statements_of}
            return await judge.ask(f"judge/{self.name}", StatementLabels, self._share, **shown)
        if self.name == CORRECTNESS.name:
            return await judge_correctness(answer.question, answer.reference, answer.text, judge)
        return await judge_passages(
            judge,
            f"judge/{self.name}",
            answer.contexts,
            lambda labels: ranked_precision([label == "yes" for label in labels]),
            question=answer.question,
            reference=answer.reference,
        )

    def _share(self, reply: StatementLabels) -> ExplainedScore:
        """Score the share of the statements that hold."""
        held = [statement.label == "yes" for statement in reply.statements]
        if self.of_none is None and not held:
            raise ReplyError("no statement was labelled", raw=reply.model_dump_json())
        explanation = f"{reply.rationale} ({sum(held)} of {len(held)} statements)"
        score = sum(held) / len(held) if held else self.of_none or 0.0
        return ExplainedScore(score=score, explanation=explanation)


GRADED: Final = declared(__file__, TypeAdapter(GradedMetric))
"""In the order of the tables."""
CORRECTNESS, RELEVANCY, *_ = GRADED


class Grade(StrEnum):
    """How good an open answer is, by its primary judge."""

    PASS = "PASS"
    PARTIAL = "PARTIAL"
    FAIL = "FAIL"


def grade(format_ok: bool, scores: Mapping[str, float | None]) -> Grade:
    """Grade an answer by its form, correctness and relevancy; a missing score fails it."""
    correctness, relevancy = scores.get(CORRECTNESS.name), scores.get(RELEVANCY.name)
    if not format_ok or correctness is None or relevancy is None or relevancy < HIGH:
        return Grade.FAIL
    if correctness >= HIGH:
        return Grade.PASS
    return Grade.PARTIAL if correctness >= PARTLY else Grade.FAIL
