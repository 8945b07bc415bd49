"""Judge one response for the final score: correctness and relevancy by a judge, recall by code."""

from collections.abc import Mapping
from typing import Final

from uaeval.errors import ReplyError
from uaeval.evaluation.attribution import passages_of
from uaeval.evaluation.expected import expected_chunks, retrieved
from uaeval.evaluation.final_score import (
    NO_INFORMATION,
    ExplainedScore,
    FinalScore,
    final_score,
    weighted_relevancy,
)
from uaeval.llm.model import Model
from uaeval.llm.replies import RelevancyJudgement, ScoreJudgement
from uaeval.runner import all_of
from uaeval.types import Query, Response

CORRECTNESS_PROMPT = "judge/answer_correctness"
RELEVANCY_PROMPT = "judge/context_relevancy"
GRADES: Final[Mapping[str, float]] = {"relevant": 1.0, "partly": 0.5, "irrelevant": 0.0}


async def judge_final_score(
    query: Query, response: Response, judge: Model, texts: Mapping[str, str]
) -> FinalScore:
    """Score one response; `texts` are those of the expected chunks, by id.

    Raises:
        RecordError: the judge could not be asked or understood; that is no score.
    """
    truth = _ground_truth(query)
    correctness, relevancy = await all_of(
        [
            judge_correctness(query.question, truth, response.text, judge),
            _relevancy(query, response, judge),
        ]
    )
    return final_score(
        question_id=query.id,
        question=query.question,
        ground_truth=truth,
        system_answer=response.text,
        answer_correctness=correctness,
        context_relevancy=relevancy,
        context_recall=context_recall(query, response, texts),
        unanswerable=not query.answerable,
    )


def _ground_truth(query: Query) -> str:
    return NO_INFORMATION if query.reference_answer is None else query.reference_answer


async def judge_correctness(
    question: str, reference: str, response: str, judge: Model
) -> ExplainedScore:
    """Grade a response against its reference answer in quarters."""
    return await judge.ask(
        CORRECTNESS_PROMPT,
        ScoreJudgement,
        lambda reply: ExplainedScore(score=reply.score, explanation=reply.rationale),
        question=question,
        reference=reference,
        response=response,
    )


async def _relevancy(query: Query, response: Response, judge: Model) -> ExplainedScore:
    passages = passages_of(response.retrieved_contexts)
    if not passages:
        return ExplainedScore(score=0.0, explanation="No passage was retrieved.")

    def parse(reply: RelevancyJudgement) -> ExplainedScore:
        if len(reply.grades) != len(passages):
            message = f"{len(passages)} passages were shown, and {len(reply.grades)} grades given"
            raise ReplyError(message, raw=reply.model_dump_json())
        grades = [GRADES[grade] for grade in reply.grades]
        listed = ", ".join(f"{number}: {grade}" for number, grade in enumerate(reply.grades, 1))
        return ExplainedScore(
            score=weighted_relevancy(grades), explanation=f"{reply.rationale} ({listed})"
        )

    return await judge.ask(
        RELEVANCY_PROMPT, RelevancyJudgement, parse, question=query.question, passages=passages
    )


def context_recall(
    query: Query, response: Response, texts: Mapping[str, str]
) -> ExplainedScore | None:
    """Return the share of the expected passages that were retrieved.

    Where none is expected that is 1 for an unanswerable query, and `None` for an answerable one.
    """
    expected = expected_chunks(query)
    if not expected:
        if query.answerable:
            return None
        return ExplainedScore(score=1.0, explanation="No passage is expected for this query.")
    there = sum(retrieved(expected, response.retrieved_contexts, texts))
    told = f"{there} of {len(expected)} expected passages were retrieved."
    return ExplainedScore(score=there / len(expected), explanation=told)
