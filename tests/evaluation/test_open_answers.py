"""Grades, judged scores of open answers, and the agreement of judges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr
from tests.scripted import ScriptedModel

from uaeval.errors import ReplyError
from uaeval.evaluation.judging.agreement import (
    LabelAgreement,
    ScoreAgreement,
    label_agreement,
    score_agreement,
)
from uaeval.evaluation.metrics.final_score import AnsweredQuestion, ranked_precision
from uaeval.evaluation.metrics.graded import (
    CORRECTNESS,
    GRADED,
    RELEVANCY,
    GradedMetric,
    grade,
)
from uaeval.llm.replies import PassageLabels, ScoreJudgement, StatementLabels
from uaeval.records import Context

FAITHFULNESS, PRECISION, RECALL, CONTEXT_RELEVANCY = GRADED[2:]
SHARES = st.floats(0, 1)


@pytest.mark.parametrize(
    ("format_ok", "correctness", "relevancy", "expected"),
    [
        (True, 0.80, 0.80, "PASS"),
        (True, 1.0, 1.0, "PASS"),
        (True, 0.79, 0.80, "PARTIAL"),
        (True, 0.60, 0.80, "PARTIAL"),
        (True, 0.59, 1.0, "FAIL"),
        (True, 1.0, 0.79, "FAIL"),
        (True, 0.0, 0.0, "FAIL"),
        (True, None, 1.0, "FAIL"),
        (True, 1.0, None, "FAIL"),
        (False, 1.0, 1.0, "FAIL"),
    ],
)
def test_the_grade_follows_from_form_correctness_and_relevancy(
    format_ok: bool, correctness: float | None, relevancy: float | None, expected: str
) -> None:
    scores = {CORRECTNESS.name: correctness, RELEVANCY.name: relevancy}
    assert grade(format_ok, scores) == expected
    known = {metric: score for metric, score in scores.items() if score is not None}
    assert grade(format_ok, known) == expected


@pytest.mark.parametrize(
    ("relevant", "expected"),
    [
        ([True, True, False], 1.0),
        ([False, True], 0.5),
        ([True, False, True], (1 + 2 / 3) / 2),
        ([False, False], 0.0),
        ([], 0.0),
    ],
)
def test_contextual_precision_rewards_relevant_passages_that_come_first(
    relevant: list[bool], expected: float
) -> None:
    assert ranked_precision(relevant) == pytest.approx(expected)


@given(st.lists(st.booleans(), max_size=12))
def test_the_precision_stays_between_0_and_1(labels: list[bool]) -> None:
    assert 0 <= ranked_precision(labels) <= 1
    if any(labels):
        assert ranked_precision(sorted(labels, reverse=True)) == 1


def test_a_graded_metric_is_declared_like_every_other_metric() -> None:
    assert [metric.name for metric in GRADED if metric.always] == [
        "correctness",
        "answer_relevancy",
    ]
    assert all(metric.definition for metric in GRADED)
    assert len({metric.name for metric in GRADED}) == len(GRADED) == 6


ANSWER = AnsweredQuestion(
    question="How many hours may I borrow?",
    reference="240 hours",
    response="240 hours. The café is open.",
)
CONTEXTS = (Context(id="a#0", text="Up to 240 hours."), Context(id="b#0", text="Soup."))


def _statements(*labels: str) -> StatementLabels:
    rows = [{"statement": f"s{number}", "label": label} for number, label in enumerate(labels)]
    return StatementLabels.model_validate({"rationale": "r", "statements": rows})


@pytest.mark.parametrize(
    ("metric", "labels", "expected"),
    [
        (RELEVANCY, ("yes", "no"), 0.5),
        (FAITHFULNESS, ("yes", "yes", "no"), 2 / 3),
        (FAITHFULNESS, (), 1.0),
        (RECALL, ("no", "no"), 0.0),
        (CONTEXT_RELEVANCY, ("yes", "no", "no", "no"), 0.25),
    ],
)
async def test_the_judge_labels_statements_and_the_code_counts(
    metric: GradedMetric, labels: tuple[str, ...], expected: float
) -> None:
    model = ScriptedModel({f"judge/{metric.name}": _statements(*labels)})
    found = await metric.judge(model, ANSWER, CONTEXTS)
    assert found.score == pytest.approx(expected)
    assert f"{labels.count('yes')} of {len(labels)} statements" in found.explanation


@pytest.mark.parametrize("metric", [RELEVANCY, RECALL, CONTEXT_RELEVANCY])
async def test_a_reply_without_labels_is_not_a_score(metric: GradedMetric) -> None:
    model = ScriptedModel({f"judge/{metric.name}": _statements()})
    with pytest.raises(ReplyError, match="no statement"):
        await metric.judge(model, ANSWER, CONTEXTS)


async def test_correctness_is_judged_against_the_reference_without_the_contexts() -> None:
    model = ScriptedModel({"judge/answer_correctness": ScoreJudgement(rationale="r", score=0.75)})
    found = await CORRECTNESS.judge(model, ANSWER, CONTEXTS)
    assert found.score == 0.75
    assert model.history[0].fields == {
        "question": ANSWER.question,
        "reference": "240 hours",
        "response": ANSWER.response,
    }


async def test_a_passage_without_a_label_is_an_error_and_no_score() -> None:
    name = f"judge/{PRECISION.name}"
    good = ScriptedModel({name: PassageLabels(rationale="r", labels=["yes", "no"])})
    assert (await PRECISION.judge(good, ANSWER, CONTEXTS)).score == 1.0
    short = ScriptedModel({name: PassageLabels(rationale="r", labels=["yes"])})
    with pytest.raises(ReplyError, match="2 passages were shown, and 1 labels given"):
        await PRECISION.judge(short, ANSWER, CONTEXTS)


PAIR = ("m", "one", "other")


def _labels(first: dict[str, str], second: dict[str, str]) -> LabelAgreement:
    items = [(name, first[name], second[name]) for name in first if name in second]
    return label_agreement(*PAIR, items)


def _scores(first: dict[str, float], second: dict[str, float]) -> ScoreAgreement:
    items = [(name, first[name], second[name]) for name in first if name in second]
    return score_agreement(*PAIR, items)


def test_kappa_corrects_agreement_for_chance() -> None:
    first = {str(n): "pass" if n < 25 else "fail" for n in range(50)}
    second = {str(n): "pass" if n < 20 or 25 <= n < 35 else "fail" for n in range(50)}
    found = _labels(first, second)
    assert (found.n, found.same) == (50, 35)
    assert found.kappa == pytest.approx(0.4)


def test_responses_on_which_one_judge_failed_are_not_compared() -> None:
    found = _labels({"a": "pass", "b": "fail"}, {"a": "pass", "c": "pass"})
    assert (found.n, found.same, found.kappa) == (1, 1, None)
    assert _labels({}, {}).kappa is None
    empty = _scores({"a": 1.0}, {"b": 1.0})
    assert (empty.n, empty.pearson, empty.spearman, empty.largest) == (0, None, None, ())


def test_scores_are_correlated_by_value_and_by_rank() -> None:
    first = {"a": 0.0, "b": 0.25, "c": 0.5, "d": 1.0}
    second = {name: value**3 for name, value in first.items()}
    found = _scores(first, second)
    assert found.spearman == pytest.approx(1.0)
    assert found.pearson == pytest.approx(0.92324, abs=1e-5)
    assert [one.id for one in found.largest] == ["c", "b"]
    assert found.largest[0].first - found.largest[0].second == pytest.approx(0.375)


def test_a_judge_that_says_the_same_throughout_correlates_with_nothing() -> None:
    first = {"a": 1.0, "b": 1.0, "c": 1.0}
    found = _scores(first, {"a": 0.0, "b": 0.5, "c": 1.0})
    assert (found.pearson, found.spearman) == (None, None)
    assert [one.id for one in found.largest] == ["a", "b"]


@given(st.lists(st.tuples(SHARES, SHARES), min_size=3, max_size=20))
def test_agreement_is_the_same_whoever_comes_first(pairs: list[tuple[float, float]]) -> None:
    rounded = [(round(one, 2), round(other, 2)) for one, other in pairs]
    first = {str(n): one for n, (one, _) in enumerate(rounded)}
    second = {str(n): other for n, (_, other) in enumerate(rounded)}
    there = _scores(first, second)
    back = _scores(second, first)
    assert there.n == back.n == len(pairs)
    assert (there.spearman is None) == (back.spearman is None)
    if there.spearman is not None and there.pearson is not None:
        assert -1.0000001 <= there.pearson <= 1.0000001
        assert there.spearman == pytest.approx(back.spearman)
        ranked = spearmanr(list(first.values()), list(second.values())).statistic
        assert there.spearman == pytest.approx(ranked)


def test_three_varied_scores_are_enough_to_correlate_and_two_are_not() -> None:
    scores = {"a": 0.0, "b": 0.5, "c": 1.0}
    assert _scores(scores, scores).pearson == pytest.approx(1.0)
    two = {name: scores[name] for name in "ab"}
    assert _scores(two, two).pearson is None
    same = dict.fromkeys(scores, 1.0)
    assert _scores(scores, same).spearman is None


def test_the_ten_largest_differences_are_named_whichever_judge_is_higher() -> None:
    names = [f"q{number:02}" for number in range(12)]
    first = {name: 0.5 for name in names}
    second = {name: 0.5 + (-1) ** n * (n + 1) / 100 for n, name in enumerate(names)}
    found = _scores(first, second)
    assert [one.id for one in found.largest] == names[:1:-1]
