"""The gate: what fails it; a missing value never passes."""

from dataclasses import replace

import pytest

from uaeval.config import GateSettings, build
from uaeval.errors import ConfigError
from uaeval.evaluation.gate import Check, check_gate, read_limits
from uaeval.records import Score

JOINT = Score(
    metric="joint_score",
    group="overall",
    value=0.8,
    low=0.7,
    high=0.9,
    n=100,
    judged=100,
    errors=0,
    worst=0.8,
    best=0.8,
    clusters=40,
    reliable=True,
)
OVER = replace(JOINT, metric="over_refusal_rate", value=0.1, low=0.05, high=0.2)
UNDERSPECIFIED = replace(JOINT, metric="acceptable_ratio", group="underspecified", value=0.5)


def check(
    score: Score, *under: str, over: tuple[str, ...] = (), **gate: float | bool
) -> list[Check]:
    limits = read_limits(under, over)
    return list(check_gate(limits, [score], build(GateSettings, **gate)))


@pytest.mark.parametrize(
    ("limit", "passed"),
    [("joint=0.75", True), ("joint=0.8", True), ("joint_score=0.81", False), ("joint=1", False)],
)
def test_a_value_is_compared_with_its_limit(limit: str, passed: bool) -> None:
    [found] = check(JOINT, limit)
    assert found.passed is passed
    assert "value 0.8000, wanted at least" in found.message


def test_a_value_equal_to_its_limit_up_to_rounding_passes() -> None:
    value = 1 - 0.9
    assert value < 0.1
    assert check(replace(JOINT, value=value), "joint=0.1")[0].passed


def test_the_lower_end_counts_on_request() -> None:
    assert check(JOINT, "joint=0.75")[0].passed
    [found] = check(JOINT, "joint=0.75", lower_end=True)
    assert not found.passed
    assert found.message == "joint_score: lower end 0.7000, wanted at least 0.75"
    few = replace(JOINT, clusters=7, reliable=False)
    assert "rests on 7 documents" in check(few, "joint=0.6", lower_end=True)[0].message


def test_the_message_says_that_an_interval_has_no_width() -> None:
    flat = replace(OVER, value=0.0, low=0.0, high=0.0, clusters=8, reliable=False)
    [found] = check(flat, over=("over_refusal=0.1",), lower_end=True)
    assert "all results agree, so the interval has no width" in found.message


def test_fail_over_limits_figures_that_should_be_low() -> None:
    assert check(OVER, over=("over_refusal=0.1",))[0].passed
    [found] = check(OVER, over=("over_refusal=0.1",), lower_end=True)
    assert not found.passed
    assert "upper end 0.2000, wanted at most 0.1" in found.message


def test_a_group_has_a_limit_of_its_own() -> None:
    limits = read_limits(["joint=0.1", "acceptable.underspecified=0.6"])
    passed = [one.passed for one in check_gate(limits, [JOINT, UNDERSPECIFIED], GateSettings())]
    assert passed == [True, False]


def test_null_fails_even_at_a_bound_of_zero() -> None:
    none = replace(JOINT, value=None, low=None, high=None, judged=0, errors=100)
    for lower_end in (False, True):
        [found] = check(none, "joint=0", lower_end=lower_end)
        assert not found.passed
        assert "has no value" in found.message


def test_a_missing_figure_fails_and_differs_from_one_not_judged() -> None:
    [no_figure] = check(JOINT, "acceptable.nonsensical=0")
    assert not no_figure.passed
    assert no_figure.message == "this evaluation has no acceptable_ratio"
    [no_group] = check(JOINT, "joint.nonsensical=0")
    assert not no_group.passed
    assert "joint_score has no group nonsensical in this evaluation; it has overall" in (
        no_group.message
    )


def test_a_figure_of_one_category_needs_no_group() -> None:
    outside = replace(
        JOINT, metric="outside_knowledge_ratio", group="out_of_database", value=0.0, low=0.0
    )
    [found] = check(outside, over=("outside_knowledge=0.1",))
    assert found.passed, found.message


def test_too_little_coverage_fails() -> None:
    thin = replace(JOINT, judged=94, errors=6)
    [found] = check(thin, "joint=0.5")
    assert not found.passed
    assert "coverage 0.9400, wanted at least 0.95" in found.message
    assert check(thin, "joint=0.5", min_coverage=0.94)[0].passed
    assert check(replace(JOINT, judged=95, errors=5), "joint=0.5")[0].passed


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        ("joint", "write figure=bound"),
        ("joint=high", "a number from 0 to 1, got 'high'"),
        ("joint=75", "a number from 0 to 1, got '75'"),
        ("joint=nan", "a number from 0 to 1"),
        ("jiont=0.5", "unknown figure 'jiont' (did you mean 'joint'?)"),
        ("zzz=0.5", "unknown figure 'zzz'; known are joint"),
        ("acceptable.underspecifed=0.5", "did you mean 'underspecified'"),
        ("joint_score_curve=0.5", "unknown figure"),
        ("over_refusal=0.1", "is better the lower it is; use --fail-over"),
    ],
)
def test_an_impossible_limit_is_refused(limit: str, told: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_limits([limit])
    assert told in str(refused.value)


def test_fail_under_of_a_figure_that_should_be_low_is_refused() -> None:
    with pytest.raises(ConfigError, match="use --fail-under"):
        read_limits([], ["joint=0.9"])
    with pytest.raises(ConfigError, match="min_coverage"):
        build(GateSettings, min_coverage=1.5)
