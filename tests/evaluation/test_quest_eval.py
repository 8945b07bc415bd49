import pytest
from hypothesis import given
from hypothesis import strategies as st

from uaeval.evaluation.metrics.quest_eval import UNANSWERABLE, QuestionAnswer, quest_eval, token_f1

TEXTS = st.sampled_from(["", "the quay", "20 minutes", "20", UNANSWERABLE, f" {UNANSWERABLE}\n"])
ASKED = st.lists(
    st.builds(QuestionAnswer, question=st.just("?"), truth=TEXTS, generated=TEXTS), max_size=9
)


def _asked(truth: str, generated: str) -> QuestionAnswer:
    return QuestionAnswer(question="?", truth=truth, generated=generated)


def test_quest_eval_of_the_worked_example() -> None:
    """Three questions, one unanswerable from the text, F1 of the others 0.5 and 1."""
    found = quest_eval(
        [
            _asked("20 minutes", "20 hours"),
            _asked("the north quay", "North Quay."),
            _asked("by card", UNANSWERABLE),
        ]
    )
    assert (found.questions, found.answered) == (3, 2)
    assert found.recall == pytest.approx(2 / 3)
    assert (found.precision, found.precision_over_all) == (0.75, 0.5)


def test_questions_that_the_ground_truth_cannot_answer_are_dropped() -> None:
    found = quest_eval([_asked(f" {UNANSWERABLE} ", "20"), _asked("20", "20")])
    assert (found.questions, found.recall, found.precision) == (1, 1.0, 1.0)


@pytest.mark.parametrize("asked", [[], [_asked(UNANSWERABLE, "20")]])
def test_without_a_valid_question_nothing_is_evaluated(asked: list[QuestionAnswer]) -> None:
    found = quest_eval(asked)
    assert (found.recall, found.precision, found.precision_over_all) == (None, None, None)


def test_a_text_that_answers_nothing_has_no_precision() -> None:
    found = quest_eval([_asked("20", UNANSWERABLE), _asked("quay", f"{UNANSWERABLE} ")])
    assert (found.recall, found.precision, found.precision_over_all) == (0.0, None, 0.0)


@pytest.mark.parametrize(
    ("given_answer", "wanted", "score"),
    [
        ("", "", 1.0),
        ("the", "A.", 1.0),
        ("", "20", 0.0),
        ("20 minutes", "", 0.0),
        ("The North Quay", "north quay!", 1.0),
        ("20 minutes before departure", "20 minutes", 2 / 3),
        ("20 20", "20", 2 / 3),
        ("quay", "pier", 0.0),
        ("午後8時です。", "午後8時", 0.8),
        ("9点", "上午9点", 2 / 3),
    ],
)
def test_token_f1(given_answer: str, wanted: str, score: float) -> None:
    assert token_f1(given_answer, wanted) == pytest.approx(score)
    assert token_f1(wanted, given_answer) == pytest.approx(score)


@given(ASKED)
def test_figures_stay_in_range_and_fit_together(asked: list[QuestionAnswer]) -> None:
    found = quest_eval(asked)
    for value in (found.recall, found.precision, found.precision_over_all):
        assert value is None or 0 <= value <= 1
    if found.recall is not None and found.precision is not None:
        assert found.precision_over_all == pytest.approx(found.precision * found.recall)
    assert quest_eval(asked[::-1]) == found
