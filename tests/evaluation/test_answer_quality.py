import pytest
from tests.evaluation.evidence import TEXTS, by_id, supported_control, two_readings, with_contexts
from tests.evaluation.records import control, unanswerable
from tests.scripted import ScriptedModel

from uaeval.errors import ReplyError
from uaeval.evaluation.metrics.final_score import FinalScore, judge_final_score, line
from uaeval.llm.replies import RelevancyJudgement, ScoreJudgement
from uaeval.offline.model import OfflineModel
from uaeval.records import Query, Response


def _judge(score: float, *grades: str) -> ScriptedModel:
    return ScriptedModel(
        {
            "judge/answer_correctness": ScoreJudgement(rationale="right", score=score),
            "judge/context_relevancy": RelevancyJudgement.model_validate(
                {"rationale": "mixed", "grades": grades}
            ),
        }
    )


async def _score(query: Query, response: Response, judge: ScriptedModel) -> FinalScore:
    return await judge_final_score(query, response, judge, TEXTS)


async def test_an_answerable_query_is_scored_on_all_three() -> None:
    query = supported_control()
    response = with_contexts(query, *by_id("leave.md#1", "leave.md#2", "fees.md#0"))
    judge = _judge(0.75, "relevant", "partly", "irrelevant")
    scored = await _score(query, response, judge)
    assert scored.answer_correctness.score == 0.75
    assert scored.context_relevancy.score == pytest.approx(0.65)
    assert scored.context_relevancy.explanation == "mixed (1: relevant, 2: partly, 3: irrelevant)"
    assert scored.context_recall is not None and scored.context_recall.score == 1
    assert scored.final_score == pytest.approx((0.75 + 0.65 + 1) / 3)
    assert judge.history[0].fields == {
        "question": query.question,
        "reference": "240 hours",
        "response": "80 hours.",
    }


async def test_an_unanswerable_query_has_no_information_as_its_ground_truth() -> None:
    query = unanswerable(1, "nonsensical")
    response = with_contexts(query, *by_id("leave.md#1"), text="I do not know.")
    scored = await _score(query, response, _judge(1, "irrelevant"))
    assert scored.ground_truth == "No information available"
    assert scored.is_unanswerable and scored.relevancy_adjusted
    assert line(scored) == "A=1.0 B=0.0→1.0 (unanswerable) C=1.0 Final=1.00"


async def test_recall_is_the_share_of_the_expected_passages() -> None:
    query = two_readings()
    scored = await _score(query, with_contexts(query, *by_id("leave.md#2")), _judge(0, "partly"))
    assert scored.context_recall is not None and scored.context_recall.score == 0.5


async def test_an_answerable_query_without_a_known_passage_has_no_recall() -> None:
    query = control(1)
    scored = await _score(query, with_contexts(query, *by_id("leave.md#2")), _judge(1, "relevant"))
    assert (scored.context_recall, scored.final_score) == (None, 1.0)


async def test_without_contexts_relevancy_is_zero_and_no_judge_is_asked() -> None:
    query = supported_control()
    judge = _judge(1)
    scored = await _score(query, with_contexts(query), judge)
    assert scored.context_relevancy.score == 0
    assert [ask.prompt for ask in judge.history] == ["judge/answer_correctness"]


@pytest.mark.parametrize("grades", [[], ["relevant"], ["relevant"] * 3])
async def test_another_number_of_grades_than_passages_is_an_error(grades: list[str]) -> None:
    query = supported_control()
    response = with_contexts(query, *by_id("leave.md#1", "leave.md#2"))
    with pytest.raises(ReplyError, match=f"2 passages were shown, and {len(grades)} grades"):
        await _score(query, response, _judge(1, *grades))


async def test_the_offline_judge_scores_a_right_answer_and_its_passages() -> None:
    query = supported_control()
    response = with_contexts(
        query, *by_id("leave.md#1", "fees.md#0"), text="You may borrow 240 hours."
    )
    scored = await judge_final_score(query, response, OfflineModel(), TEXTS)
    assert scored.answer_correctness.score == 1
    assert scored.context_relevancy.score == pytest.approx(0.5 / 0.8)
    refusing = with_contexts(query, *by_id("fees.md#0"), text="I do not know.")
    scored = await judge_final_score(query, refusing, OfflineModel(), TEXTS)
    assert (scored.answer_correctness.score, scored.context_relevancy.score) == (0, 0)


async def test_the_offline_judge_takes_a_refusal_of_what_is_unanswerable_as_right() -> None:
    query = unanswerable(1, "out_of_database")
    refusing = with_contexts(query, *by_id("fees.md#0"), text="I do not know.")
    scored = await judge_final_score(query, refusing, OfflineModel(), TEXTS)
    assert (scored.answer_correctness.score, scored.final_score) == (1, 1)
    answering = with_contexts(query, *by_id("fees.md#0"), text="You may borrow 12 hours.")
    scored = await judge_final_score(query, answering, OfflineModel(), TEXTS)
    assert (scored.answer_correctness.score, scored.relevancy_adjusted) == (0, False)
