from dataclasses import replace
from pathlib import Path

import pytest
from tests.evaluation.folders import evaluated
from tests.evaluation.records import control, response, unanswerable, undecided
from tests.scripted import ScriptedModel

from uaeval.categories.names import BUILT_IN
from uaeval.config import EvaluationConfig
from uaeval.errors import ReplyError, TargetError
from uaeval.evaluation.judging.further_judges import ask_others
from uaeval.evaluation.judging.judge import (
    Policy,
    Undecided,
    judge,
    judge_tasks,
)
from uaeval.llm.model import Field
from uaeval.llm.replies import Reply, VerdictJudgement, YesNoJudgement
from uaeval.prompts import PromptLibrary
from uaeval.records import Judgement, Metric, Query, Response, ResponseStatus
from uaeval.run.progress import ProgressListener
from uaeval.storage import read_journal
from uaeval.systems.system import Answer
from uaeval.text.conversation import Turn

REFUSED = VerdictJudgement(rationale="It says it does not know.", label="refused")
YES = YesNoJudgement(rationale="It does.", label="yes")


def _model() -> ScriptedModel:
    acceptable = {f"{category}/acceptable": YES for category in BUILT_IN}
    return ScriptedModel(
        {
            "judge/verdict": REFUSED,
            "judge/correct": YES,
            "underspecified/acceptable_strict": YES,
            **acceptable,
        }
    )


async def _judged(
    query: Query, said: Response, model: ScriptedModel, policy: Policy = "lenient"
) -> list[Judgement | Undecided]:
    return [await judge(task, model) for task in judge_tasks(query, said.text, policy)]


async def test_the_verdict_judge_sees_query_and_response_only() -> None:
    query, model = unanswerable(1), _model()
    judgement, _ = await _judged(query, response(query, "No idea."), model)
    assert model.history[0].fields == {"question": query.question, "response": "No idea."}
    assert (judgement.id, judgement.judge) == ("underspecified-0001/verdict", "scripted")
    assert isinstance(judgement, Judgement)
    assert (judgement.label, judgement.rationale) == ("refused", "It says it does not know.")


async def test_judges_see_the_earlier_turns() -> None:
    turns = (Turn(role="user", content="May I borrow?"), Turn(role="assistant", content="Yes."))
    query, model = replace(unanswerable(1), history=turns), _model()
    await _judged(query, response(query), model)
    shown = "Earlier turns:\nUser: May I borrow?\nAssistant: Yes.\n\nQuestion: " + query.question
    assert [ask.fields["question"] for ask in model.history] == [shown, shown]


async def test_an_unanswerable_query_is_judged_for_verdict_and_acceptability() -> None:
    query = unanswerable(1, "nonsensical")
    model = _model()
    found = await _judged(query, response(query), model)
    assert [one.id for one in found] == ["nonsensical-0001/verdict", "nonsensical-0001/acceptable"]
    assert model.history[1].prompt == "nonsensical/acceptable"
    assert model.history[1].fields["reason"] == "The kind of leave is missing."


async def test_a_control_is_judged_for_verdict_and_correctness() -> None:
    query, model = control(1), _model()
    found = await _judged(query, response(query, "240 hours."), model)
    assert [one.metric for one in found] == [Metric.VERDICT, Metric.CORRECT]
    assert model.history[1].fields == {
        "question": query.question,
        "reference": "240 hours",
        "response": "240 hours.",
    }


async def test_a_query_without_a_reason_is_judged_by_its_category() -> None:
    query, model = replace(unanswerable(1, "nonsensical"), reason=None), _model()
    await _judged(query, response(query), model)
    assert "no coherent reading" in str(model.history[1].fields["reason"])


def test_the_strict_policy_changes_only_the_rule_for_underspecified() -> None:
    queries = [unanswerable(1, category) for category in BUILT_IN]
    strict = {task.prompt for query in queries for task in judge_tasks(query, "No.", "strict")}
    lenient = {task.prompt for query in queries for task in judge_tasks(query, "No.", "lenient")}
    assert strict - lenient == {"underspecified/acceptable_strict"}
    assert lenient - strict == {"underspecified/acceptable"}


async def test_one_judgement_that_fails_leaves_the_others() -> None:
    def unreadable(**fields: Field) -> Reply:
        raise ReplyError("no label in it")

    query = unanswerable(1)
    model = ScriptedModel({"judge/verdict": unreadable, "underspecified/acceptable": YES})
    verdict, acceptable = judge_tasks(query, "No idea.")
    with pytest.raises(ReplyError):
        await judge(verdict, model)
    judgement = await judge(acceptable, model)
    assert isinstance(judgement, Judgement) and judgement.label == "yes"


async def test_an_undecided_reply_is_not_a_judgement() -> None:
    query, twin = unanswerable(1), control(1)
    unsure = YesNoJudgement(rationale="No words in it.", label="undecided")
    model = ScriptedModel(
        {
            "judge/verdict": VerdictJudgement(rationale="No words in it.", label="undecided"),
            "judge/correct": unsure,
            "underspecified/acceptable": unsure,
        }
    )
    for asked, metrics in (
        (query, [Metric.VERDICT, Metric.ACCEPTABLE]),
        (twin, [Metric.VERDICT, Metric.CORRECT]),
    ):
        assert await _judged(asked, response(asked, "%&/("), model) == [
            undecided(asked, metric, judge="scripted", rationale="No words in it.")
            for metric in metrics
        ]


class Gateway:
    """A system that is blocked on one query, fails on another, and answers the rest."""

    name = "gateway"

    async def answer(self, query: Query) -> Answer:
        if query.id == "underspecified-0001":
            return Answer(text="", status=ResponseStatus.BLOCKED)
        if query.id == "underspecified-0002":
            raise TargetError("no answer")
        return Answer(text="240 hours.")


async def test_there_is_nothing_to_judge_in_a_blocked_or_missing_response(tmp_path: Path) -> None:
    queries = [unanswerable(1), unanswerable(2), control(1)]
    config = EvaluationConfig(dataset=tmp_path)
    model = _model()
    found = await evaluated(tmp_path, queries, Gateway(), [model], config, ProgressListener())
    twin = "underspecified-0001-twin"
    tasks = [f"{twin}/verdict", f"{twin}/correct"]
    assert [judgement.id for judgement in found.judgements] == tasks
    assert len(model.history) == 2
    await ask_others(found.cases, [model], tmp_path, config, ProgressListener())
    others = read_journal(tmp_path / "judgements.others.jsonl", Judgement)
    assert [judgement.id for judgement in others] == tasks


def test_a_control_without_a_reference_is_judged_for_its_verdict_only() -> None:
    query = control(1, reference=None)
    assert [task.metric for task in judge_tasks(query, "No idea.")] == [Metric.VERDICT]


async def test_every_question_fits_its_prompt_file() -> None:
    model, library = _model(), PromptLibrary()
    for query in (*(unanswerable(1, category) for category in BUILT_IN), control(1)):
        await _judged(query, response(query), model, "strict")
    for ask in model.history:
        prompt = library.get(ask.prompt)
        prompt.check(ask.fields)
        assert prompt.reply == ask.reply_type.__name__
