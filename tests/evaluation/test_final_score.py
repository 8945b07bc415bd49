import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.records import control, unanswerable

from uaeval.evaluation.metrics.final_score import (
    AnsweredQuestion,
    ExplainedScore,
    FinalScore,
    final_score,
    line,
    number,
    position_weights,
    says_unanswerable,
    weighted_relevancy,
)

GRADES = st.lists(st.sampled_from(["irrelevant", "partly", "relevant"]), max_size=12)
WORDS = {1: "relevant", 0.5: "partly", 0: "irrelevant"}
SCORES = st.floats(0, 1)


def _scored(
    a: float, b: float, c: float | None, *, is_unanswerable: bool = True, truth: str = "240 hours"
) -> FinalScore:
    return final_score(
        unanswerable(1) if is_unanswerable else control(1),
        AnsweredQuestion("?", truth, "I do not know."),
        ExplainedScore(score=a, explanation=""),
        ExplainedScore(score=b, explanation=""),
        None if c is None else ExplainedScore(score=c, explanation=""),
    )


def test_a_right_refusal_counts_as_relevant_contexts() -> None:
    scored = _scored(1, 0, 1)
    assert scored.raw_score == pytest.approx(0.67, abs=0.005)
    assert scored.final_score == 1.0
    assert scored.relevancy_adjusted
    assert scored.context_relevancy.score == 0
    assert scored.scoring_note is not None and "context relevancy 0.0" in scored.scoring_note
    assert line(scored) == "A=1.0 B=0.0→1.0 (unanswerable) C=1.0 Final=1.00"


def test_just_below_the_limit_nothing_is_adjusted() -> None:
    scored = _scored(0.79, 0, 1)
    assert scored.final_score == pytest.approx((0.79 + 0 + 1) / 3)
    assert (scored.relevancy_adjusted, scored.scoring_note) == (False, None)
    assert line(scored) == "A=0.79 B=0.0 C=1.0 Final=0.60"
    assert _scored(0.8, 0, 1).relevancy_adjusted


def test_an_answerable_query_is_never_adjusted() -> None:
    scored = _scored(1, 0, 1, is_unanswerable=False)
    assert scored.final_score == pytest.approx(2 / 3)
    assert not scored.relevancy_adjusted


def test_without_expected_passages_the_mean_is_over_the_other_two() -> None:
    scored = _scored(0.5, 1, None, is_unanswerable=False)
    assert scored.final_score == 0.75
    assert line(scored) == "A=0.5 B=1.0 C=– Final=0.75"


@pytest.mark.parametrize(
    "truth",
    [
        "No information available",
        " not available. ",
        "UNKNOWN",
        "n/a",
        "N/A.",
        "Unknown ...",
        "unknown?!",
    ],
)
def test_a_reference_may_say_that_there_is_none(truth: str) -> None:
    assert says_unanswerable(truth)
    assert _scored(1, 0, 1, is_unanswerable=False, truth=truth).is_unanswerable


@pytest.mark.parametrize("truth", ["unknown soldier", "", "no", "information available", "a/n"])
def test_other_references_are_not_met_by_a_denial(truth: str) -> None:
    assert not says_unanswerable(truth)


@pytest.mark.parametrize(
    ("grades", "value"),
    [
        ((1, 1, 1), 1.00),
        ((1, 1, 0), 0.80),
        ((1, 0.5, 0), 0.65),
        ((0, 0.5, 1), 0.35),
        ((1, 0, 0), 0.50),
        ((), 0.0),
        ((1,), 1.0),
    ],
)
def test_relevancy_is_weighted_by_position(grades: tuple[float, ...], value: float) -> None:
    assert weighted_relevancy([WORDS[grade] for grade in grades]) == pytest.approx(value)


def test_the_weights_of_three_are_exact_and_further_ones_fall_by_a_third() -> None:
    assert position_weights(3) == (0.5, 0.3, 0.2)
    weights = position_weights(5)
    assert weights[3] / weights[2] == pytest.approx(2 / 3) == weights[4] / weights[3]
    assert position_weights(0) == ()


@given(GRADES)
def test_relevancy_stays_in_range_and_is_one_only_for_all(grades: list[str]) -> None:
    assert 0 <= weighted_relevancy(grades) <= 1 + 1e-12
    if grades:
        assert sum(position_weights(len(grades))) == pytest.approx(1)


@given(SCORES, SCORES, st.none() | SCORES, st.booleans())
def test_adjusting_never_lowers_a_score(
    a: float, b: float, c: float | None, is_unanswerable: bool
) -> None:
    scored = _scored(a, b, c, is_unanswerable=is_unanswerable)
    assert 0 <= scored.raw_score <= scored.final_score <= 1
    assert scored.relevancy_adjusted is (is_unanswerable and a >= 0.8)
    assert (scored.scoring_note is None) is not scored.relevancy_adjusted


@pytest.mark.parametrize(("value", "told"), [(0, "0.0"), (0.65, "0.65"), (1, "1.0"), (0.5, "0.5")])
def test_a_number_has_no_trailing_zero(value: float, told: str) -> None:
    assert number(value) == told
