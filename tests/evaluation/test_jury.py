import json
from pathlib import Path

import pytest
from tests.evaluation.folders import evaluated
from tests.evaluation.records import response, unanswerable, undecided
from tests.scripted import ScriptedModel

from uaeval.config import EvaluationConfig
from uaeval.errors import NoMajorityError, ReplyError
from uaeval.evaluation.judging.judge import JudgeTask, judge_by_majority, judge_tasks
from uaeval.llm.model import Field
from uaeval.llm.replies import Reply, VerdictJudgement, YesNoJudgement
from uaeval.records import Judgement, Metric, Query
from uaeval.run.progress import ProgressListener
from uaeval.systems.system import Answer

QUERY = unanswerable(1)
VERDICT, ACCEPTABLE = judge_tasks(QUERY, response(QUERY).text)


def saying(verdict: str) -> ScriptedModel:
    return ScriptedModel(
        {
            "judge/verdict": VerdictJudgement.model_validate(
                {"rationale": f"It is {verdict}.", "label": verdict}
            ),
            "underspecified/acceptable": YesNoJudgement(rationale="Fine.", label="yes"),
        }
    )


async def judged(task: JudgeTask, *verdicts: str) -> tuple[str, str, dict[str, int] | None]:
    judgement = await judge_by_majority(task, [saying(each) for each in verdicts])
    assert isinstance(judgement, Judgement)
    return judgement.label, judgement.rationale, judgement.votes


async def test_a_single_judge_decides_and_no_votes_are_recorded() -> None:
    assert await judged(VERDICT, "refused") == ("refused", "It is refused.", None)


async def test_the_label_of_more_than_half_counts_and_the_votes_are_kept() -> None:
    found = await judged(VERDICT, "answered", "refused", "refused")
    assert found == ("refused", "It is refused.", {"refused": 2, "answered": 1})
    assert await judged(ACCEPTABLE, "answered", "refused") == ("yes", "Fine.", {"yes": 2})


@pytest.mark.parametrize(
    "verdicts",
    [
        ("refused", "answered"),
        ("refused", "answered", "clarified"),
        ("refused", "undecided"),
        ("refused", "answered", "undecided"),
    ],
)
async def test_without_a_majority_there_is_no_label(verdicts: tuple[str, ...]) -> None:
    with pytest.raises(NoMajorityError, match=r"underspecified-0001/verdict: no label .*refused 1"):
        await judged(VERDICT, *verdicts)


async def test_a_response_on_which_most_judges_are_undecided_is_undecided() -> None:
    judges = [saying(each) for each in ("undecided", "refused", "undecided")]
    found = await judge_by_majority(VERDICT, judges)
    assert found == undecided(QUERY, Metric.VERDICT, judge="scripted", rationale="It is undecided.")


async def test_one_undecided_judge_is_outvoted() -> None:
    found = await judged(VERDICT, "undecided", "partial", "partial")
    assert found == ("partial", "It is partial.", {"partial": 2, "undecided": 1})


async def test_a_judge_that_cannot_be_understood_has_no_vote() -> None:
    def unreadable(**fields: Field) -> Reply:
        raise ReplyError("no label in it")

    broken = ScriptedModel({"judge/verdict": unreadable})
    with pytest.raises(ReplyError):
        await judge_by_majority(VERDICT, [saying("refused"), saying("refused"), broken])


class Silent:
    """A system that gives every query the same answer."""

    name = "silent"

    async def answer(self, query: Query) -> Answer:
        return Answer(text="I do not know.", contexts=())


async def test_a_judgement_without_a_majority_is_a_failure_among_the_errors(
    tmp_path: Path,
) -> None:
    found = await evaluated(
        tmp_path,
        [QUERY],
        Silent(),
        [saying("refused"), saying("answered")],
        EvaluationConfig(dataset=tmp_path, concurrency=1),
        ProgressListener(),
    )
    [failure] = found.failures
    assert (failure.stage, failure.kind) == ("judge", "NoMajorityError")
    [line] = (tmp_path / "judgements.jsonl").read_text().splitlines()
    assert json.loads(line)["votes"] == {"yes": 2}
    refused = next(score for score in found.scores if score.metric == "unanswered_ratio")
    assert (refused.judged, refused.errors) == (0, 1)
