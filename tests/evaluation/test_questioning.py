import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.evaluation.records import control, response
from tests.scripted import ScriptedModel

from uaeval.errors import ReplyError
from uaeval.evaluation.metrics.quest_eval import (
    METRIC,
    UNANSWERABLE,
    QuestEvalResult,
    QuestEvaluation,
)
from uaeval.llm.model import Field
from uaeval.llm.replies import PhraseQuestion, QuestAnswers, QuestQuestions, Reply
from uaeval.prompts import PromptLibrary
from uaeval.storage import write_journal

REFERENCE = "Up to 240 hours, on a form from the Harbour Office."
TWIN = replace(control(1), reference_answer=REFERENCE)
PROMPTS = PromptLibrary().hashes_of(METRIC.prompts)
QUESTIONS = ("How many hours?", "On what?", "Who has the form?")


def _questions(**fields: Field) -> Reply:
    phrases = str(fields["phrases"]).splitlines()
    return QuestQuestions(
        rationale="r",
        questions=[
            PhraseQuestion(phrase=phrase, question=question)
            for phrase, question in zip(phrases, QUESTIONS, strict=False)
        ],
    )


def _answers(**fields: Field) -> Reply:
    """Answer the first question from both texts, the last one from neither."""
    truth = fields["text"] == REFERENCE
    known = ["240 hours", "a form" if truth else UNANSWERABLE, UNANSWERABLE]
    count = len(str(fields["questions"]).splitlines())
    return QuestAnswers(rationale="r", answers=known[:count])


def _judge() -> ScriptedModel:
    return ScriptedModel({"judge/quest_questions": _questions, "judge/quest_answers": _answers})


async def _quest(folder: Path, judge: ScriptedModel, text: str = "240.") -> QuestEvalResult:
    evaluation = QuestEvaluation(folder / "quest_eval.jsonl", judge, PROMPTS)
    return await evaluation.score(TWIN, response(TWIN, text))


async def test_questions_about_key_phrases_are_answered_from_each_text_separately(
    tmp_path: Path,
) -> None:
    judge = _judge()
    found = await _quest(tmp_path, judge, "You may borrow 240 hours.")
    questions, truth, generated = judge.history
    assert "Harbour Office" in str(questions.fields["phrases"])
    assert (questions.fields["asked"], questions.fields["text"]) == (TWIN.question, REFERENCE)
    assert truth.fields["text"] == REFERENCE
    assert generated.fields["text"] == "You may borrow 240 hours."
    assert truth.fields["questions"] == generated.fields["questions"]
    assert str(truth.fields["questions"]).startswith("1. How many hours?\n2. ")
    assert (found.scores.questions, found.scores.answered) == (2, 1)
    assert (found.scores.recall, found.scores.precision) == (0.5, 1.0)


async def test_the_ground_truth_side_is_asked_once_and_kept(tmp_path: Path) -> None:
    await _quest(tmp_path, _judge())
    again = _judge()
    found = await _quest(tmp_path, again, "Another system says 240.")
    assert [ask.prompt for ask in again.history] == ["judge/quest_answers"]
    assert found.scores.recall == 0.5


async def test_another_judge_wording_or_reference_is_asked_anew(tmp_path: Path) -> None:
    await _quest(tmp_path, _judge())
    other = ScriptedModel(
        {"judge/quest_questions": _questions, "judge/quest_answers": _answers}, name="other"
    )
    await _quest(tmp_path, other)
    assert len(other.history) == 3
    judge = _judge()
    evaluation = QuestEvaluation(tmp_path / "quest_eval.jsonl", judge, PROMPTS)
    changed = replace(TWIN, reference_answer="80 hours at the quay")
    await evaluation.score(changed, response(changed))
    assert len(judge.history) == 3
    judge = _judge()
    edited = PROMPTS | {"judge/quest_answers": "another hash"}
    evaluation = QuestEvaluation(tmp_path / "quest_eval.jsonl", judge, edited)
    await evaluation.score(TWIN, response(TWIN))
    assert len(judge.history) == 3


async def test_a_long_reference_is_asked_about_by_its_first_eight_phrases(tmp_path: Path) -> None:
    judge = _judge()
    amounts = ", ".join(f"{10 + number} days" for number in range(10))
    many = replace(TWIN, reference_answer=f"It lasts {amounts}.")
    evaluation = QuestEvaluation(tmp_path / "quest_eval.jsonl", judge, PROMPTS)
    await evaluation.score(many, response(many))
    assert len(str(judge.history[0].fields["phrases"]).splitlines()) == 8


@pytest.mark.parametrize("reference", ["so it is", "Yes.", "No", "It is not permitted"])
async def test_a_reference_without_a_phrase_is_not_evaluated(
    tmp_path: Path, reference: str
) -> None:
    judge = _judge()
    empty = replace(TWIN, reference_answer=reference)
    evaluation = QuestEvaluation(tmp_path / "quest_eval.jsonl", judge, PROMPTS)
    found = await evaluation.score(empty, response(empty))
    assert (judge.history, found.asked) == ([], ())
    assert (found.scores.recall, found.scores.precision) == (None, None)
    assert found.note == "no question could be asked about the reference answer"
    write_journal(tmp_path / "quested.jsonl", QuestEvalResult, [found])
    assert json.loads((tmp_path / "quested.jsonl").read_bytes())["note"] == found.note


async def test_questions_that_the_reference_does_not_answer_are_none_either(
    tmp_path: Path,
) -> None:
    judge = ScriptedModel(
        {
            "judge/quest_questions": _questions,
            "judge/quest_answers": lambda **fields: QuestAnswers(
                rationale="r",
                answers=[UNANSWERABLE] * len(str(fields["questions"]).splitlines()),
            ),
        }
    )
    found = await _quest(tmp_path, judge)
    assert (found.scores.recall, found.scores.precision) == (None, None)
    assert found.note == "no question could be asked about the reference answer"


async def test_a_reference_with_questions_has_no_note(tmp_path: Path) -> None:
    assert (await _quest(tmp_path, _judge())).note is None


async def test_a_wrong_number_of_answers_is_an_error_and_keeps_nothing(tmp_path: Path) -> None:
    judge = ScriptedModel(
        {
            "judge/quest_questions": _questions,
            "judge/quest_answers": QuestAnswers(rationale="r", answers=["240"]),
        }
    )
    with pytest.raises(ReplyError, match="questions were asked, 1 answered"):
        await _quest(tmp_path, judge)
    assert not (tmp_path / "quest_eval.jsonl").exists()
