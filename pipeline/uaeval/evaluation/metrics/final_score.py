"""The final score: the mean of answer correctness, context relevancy and context recall.

Relevancy counts as 1 if a query is unanswerable and the system says so; the raw value is kept.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final, NamedTuple

from uaeval.errors import ReplyError
from uaeval.evaluation.metrics.attribution import expected_chunks, passages_of, retrieved
from uaeval.evaluation.metrics.judged import JudgedMetric
from uaeval.evaluation.metrics.spec import MetricSpec, declared
from uaeval.llm.model import Field, Model
from uaeval.llm.replies import PassageLabels, RelevancyJudgement, ScoreJudgement
from uaeval.records import Context, Query, Response
from uaeval.runner import all_of

CORRECTNESS_PROMPT = "judge/answer_correctness"
RELEVANCY_PROMPT = "judge/context_relevancy"
GRADES: Final[Mapping[str, float]] = {"relevant": 1.0, "partly": 0.5, "irrelevant": 0.0}
RIGHT: Final = 0.8
"""Smallest answer correctness at which a system has said that a query is unanswerable."""
NO_INFORMATION: Final = "No information available"
_UNANSWERABLE: Final = frozenset({"no information available", "not available", "unknown", "n/a"})


class AnsweredQuestion(NamedTuple):
    """A question with its reference answer and a system's response, as the prompts name them."""

    question: str
    reference: str
    response: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedScore:
    """A score in [0, 1] and its explanation."""

    score: float
    explanation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalScore:
    """The three scores of one query and their mean."""

    question_id: str
    question: str
    ground_truth: str
    system_answer: str
    answer_correctness: ExplainedScore
    context_relevancy: ExplainedScore
    """The raw value, without the adjustment."""
    context_recall: ExplainedScore | None
    """`None` for an answerable query without a known expected passage."""
    final_score: float
    """The mean of the three, or of the first two if recall is `None`."""
    is_unanswerable: bool
    relevancy_adjusted: bool
    """Whether relevancy counts as 1 because the query is unanswerable and the answer right."""
    scoring_note: str | None
    """A note on the adjustment with the raw value; `None` without an adjustment."""

    @property
    def query_id(self) -> str:
        """The query's id, under the name that other records use."""
        return self.question_id

    @property
    def raw_score(self) -> float:
        """The final score without the adjustment."""
        return _mean(self.answer_correctness, self.context_relevancy.score, self.context_recall)


def final_score(
    query: Query,
    answered: AnsweredQuestion,
    correctness: ExplainedScore,
    relevancy: ExplainedScore,
    recall: ExplainedScore | None,
) -> FinalScore:
    """Return the final score; the ground truth may also say that the query is unanswerable."""
    unanswerable = not query.answerable or says_unanswerable(answered.reference)
    adjusted = unanswerable and correctness.score >= RIGHT
    note = (
        f"context relevancy {number(relevancy.score)} counts as 1.0: the query is "
        "unanswerable, and the answer is right"
    )
    return FinalScore(
        question_id=query.id,
        question=query.question,
        ground_truth=answered.reference,
        system_answer=answered.response,
        answer_correctness=correctness,
        context_relevancy=relevancy,
        context_recall=recall,
        final_score=_mean(correctness, 1.0 if adjusted else relevancy.score, recall),
        is_unanswerable=unanswerable,
        relevancy_adjusted=adjusted,
        scoring_note=note if adjusted else None,
    )


def _mean(correctness: ExplainedScore, relevancy: float, recall: ExplainedScore | None) -> float:
    return fmean([correctness.score, relevancy, *([recall.score] if recall else [])])


def says_unanswerable(ground_truth: str) -> bool:
    """Return whether a reference answer means that no information exists."""
    return re.sub(r"[\s.!?…]+$", "", ground_truth.strip()).casefold() in _UNANSWERABLE


def line(scored: FinalScore) -> str:
    """Return one query's scores as `A=1.0 B=0.0→1.0 (unanswerable) C=1.0 Final=1.00`."""
    relevancy = number(scored.context_relevancy.score)
    if scored.relevancy_adjusted:
        relevancy += "→1.0 (unanswerable)"
    recall = number(scored.context_recall.score) if scored.context_recall else "–"
    return (
        f"A={number(scored.answer_correctness.score)} B={relevancy} C={recall} "
        f"Final={scored.final_score:.2f}"
    )


def number(value: float) -> str:
    """Return a score with two decimals, or one if the second is 0."""
    return re.sub(r"(?<=\d)0$", "", f"{value:.2f}")


async def judge_final_score(
    query: Query, response: Response, judge: Model, texts: Mapping[str, str]
) -> FinalScore:
    """Score one response; `texts` are the texts of the expected chunks, by id.

    Raise `RecordError` if a call failed, or its reply is unusable; this is not a score.
    """
    truth = NO_INFORMATION if query.reference_answer is None else query.reference_answer
    answered = AnsweredQuestion(query.conversation, truth, response.text)
    calls = [judge_correctness(judge, answered), judge_relevancy(query, response, judge)]
    correctness, relevancy = await all_of(calls)
    recall = context_recall(query, response, texts)
    return final_score(query, answered, correctness, relevancy, recall)


async def judge_correctness(judge: Model, answered: AnsweredQuestion) -> ExplainedScore:
    """Score a response against the reference answer, in steps of a quarter."""

    def parse(reply: ScoreJudgement) -> ExplainedScore:
        return ExplainedScore(score=reply.score, explanation=reply.rationale)

    return await judge.ask(CORRECTNESS_PROMPT, ScoreJudgement, parse, **answered._asdict())


async def judge_passages(
    judge: Model,
    prompt: str,
    contexts: Sequence[Context],
    score: Callable[[Sequence[str]], float],
    **fields: Field,
) -> ExplainedScore:
    """Let the judge label each passage, and score the labels in the order of retrieval."""
    kind: type[RelevancyJudgement | PassageLabels]
    is_graded = prompt == RELEVANCY_PROMPT
    kind, name = (RelevancyJudgement, "grades") if is_graded else (PassageLabels, "labels")

    def parse(reply: RelevancyJudgement | PassageLabels) -> ExplainedScore:
        labels = getattr(reply, name)
        if len(labels) != len(contexts):
            message = f"{len(contexts)} passages were shown, and {len(labels)} {name} given"
            raise ReplyError(message, raw=reply.model_dump_json())
        listed = ", ".join(f"{number}: {label}" for number, label in enumerate(labels, 1))
        return ExplainedScore(score=score(labels), explanation=f"{reply.rationale} ({listed})")

    return await judge.ask(prompt, kind, parse, passages=passages_of(contexts), **fields)


async def judge_relevancy(query: Query, response: Response, judge: Model) -> ExplainedScore:
    """Return the context relevancy of a response; 0 if no passage was retrieved."""
    contexts, question = response.retrieved_contexts, query.conversation
    if not contexts:
        return ExplainedScore(score=0.0, explanation="No passage was retrieved.")
    return await judge_passages(
        judge, RELEVANCY_PROMPT, contexts, weighted_relevancy, question=question
    )


def position_weights(count: int) -> tuple[float, ...]:
    """Return 0.5, 0.3, 0.2, then 2/3 of the one before, for `count` ranks, scaled to sum to 1."""
    raw = list((0.5, 0.3, 0.2)[:count])
    while len(raw) < count:
        raw.append(raw[-1] * (2 / 3))
    total = math.fsum(raw)
    return tuple(weight / total for weight in raw)


def weighted_relevancy(grades: Sequence[str]) -> float:
    """Return the context relevancy for grades in the order of retrieval; 0 for none."""
    weighted = zip(position_weights(len(grades)), grades, strict=True)
    return math.fsum(weight * GRADES[grade] for weight, grade in weighted)


def ranked_precision(relevant: Sequence[bool]) -> float:
    """Return DeepEval's contextual precision: the mean precision@k over relevant ranks k, or 0."""
    ranks = [rank for rank, is_relevant in enumerate(relevant, 1) if is_relevant]
    return fmean(sum(relevant[:rank]) / rank for rank in ranks) if ranks else 0.0


def context_recall(
    query: Query, response: Response, texts: Mapping[str, str]
) -> ExplainedScore | None:
    """Return the share of the expected passages that were retrieved.

    Without expected passages it is 1 for an unanswerable query, and `None` for an answerable one.
    """
    expected = expected_chunks(query)
    if not expected and query.answerable:
        return None
    if not expected:
        return ExplainedScore(score=1.0, explanation="No passage is expected for this query.")
    count = sum(retrieved(expected, response.retrieved_contexts, texts))
    explanation = f"{count} of {len(expected)} expected passages were retrieved."
    return ExplainedScore(score=count / len(expected), explanation=explanation)


METRIC: Final = JudgedMetric(
    name="final_score",
    title="scoring answers and contexts",
    prompts=(CORRECTNESS_PROMPT, RELEVANCY_PROMPT),
    record=FinalScore,
    open=lambda sources: (
        lambda case: judge_final_score(case.query, case.response, sources.judge, sources.texts)
    ),
    metrics=declared("final_score", MetricSpec),
    file="final_scores.jsonl",
    line=lambda record: f"{record.question_id} {line(record)}",
    note=(
        "The final score counts context relevancy as 1 where an unanswerable query was rightly "
        "not answered; raw: without that."
    ),
)
