import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uaeval.evaluation.statistics.intervals import (
    Observation,
    ProportionEstimate,
    weighted_share,
)
from uaeval.evaluation.statistics.labelled import rogan_gladen

SHARES = st.builds(ProportionEstimate, st.floats(0, 1), st.floats(1, 500))


def test_a_perfect_judge_changes_nothing() -> None:
    found = rogan_gladen(
        ProportionEstimate(0.4, 100), ProportionEstimate(1, 50), ProportionEstimate(1, 50)
    )
    assert found is not None and found.value == pytest.approx(0.4)


def test_the_textbook_formula() -> None:
    """(.30 + .85 - 1) / (.90 + .85 - 1) = .20."""
    found = rogan_gladen(
        ProportionEstimate(0.30, 200), ProportionEstimate(0.90, 80), ProportionEstimate(0.85, 80)
    )
    assert found is not None and found.value == pytest.approx(0.2)
    assert found.interval.low < 0.2 < found.interval.high


@pytest.mark.parametrize(("raw", "value"), [(0.02, 0.0), (0.99, 1.0)])
def test_it_is_clipped(raw: float, value: float) -> None:
    found = rogan_gladen(
        ProportionEstimate(raw, 100), ProportionEstimate(0.9, 50), ProportionEstimate(0.9, 50)
    )
    assert found is not None and found.value == value


@pytest.mark.parametrize(("sensitivity", "specificity"), [(0.5, 0.6), (0.55, 0.55), (0.2, 0.2)])
def test_a_judge_without_skill_gives_no_corrected_ratio(
    sensitivity: float, specificity: float
) -> None:
    assert (
        rogan_gladen(
            ProportionEstimate(0.5, 100),
            ProportionEstimate(sensitivity, 50),
            ProportionEstimate(specificity, 50),
        )
        is None
    )


@given(SHARES, SHARES, SHARES)
def test_value_and_interval_stay_in_range(
    raw: ProportionEstimate, se: ProportionEstimate, sp: ProportionEstimate
) -> None:
    found = rogan_gladen(raw, se, sp)
    if found is not None:
        assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1


@pytest.mark.parametrize(
    ("truth", "se", "sp"), [(0.3, 0.95, 0.9), (0.6, 0.85, 0.8), (0.9, 0.9, 0.8)]
)
def test_the_interval_holds_the_truth_about_as_often_as_it_says(
    truth: float, se: float, sp: float
) -> None:
    chance = np.random.default_rng(11)
    held = 0
    for _ in range(1000):
        raw = chance.binomial(200, truth * se + (1 - truth) * (1 - sp)) / 200
        positives = int(chance.binomial(120, truth))
        right = (
            ProportionEstimate(chance.binomial(positives, se) / positives, positives),
            ProportionEstimate(
                chance.binomial(120 - positives, sp) / (120 - positives), 120 - positives
            ),
        )
        found = rogan_gladen(ProportionEstimate(raw, 200), *right)
        held += found is not None and found.interval.low <= truth <= found.interval.high
    assert 920 <= held <= 980


def test_a_weighted_share_counts_each_item_by_its_weight() -> None:
    seen = [Observation("a", True, weight=4.0), Observation("b", False), Observation("c", False)]
    found = weighted_share(seen)
    assert found is not None and found.value == pytest.approx(4 / 6)
    assert found.size < 3
    assert weighted_share([]) is None


@pytest.mark.parametrize(
    ("sensitivity", "specificity"),
    [
        (ProportionEstimate(1.0, 2), ProportionEstimate(0.1875, 8)),  # 0.75 + 0.25 - 1
        (ProportionEstimate(0.9, 1), ProportionEstimate(0.3, 1e9)),
    ],
)
def test_where_the_moved_judge_has_no_skill_the_interval_is_the_whole_range(
    sensitivity: ProportionEstimate, specificity: ProportionEstimate
) -> None:
    found = rogan_gladen(ProportionEstimate(0.89, 100), sensitivity, specificity)
    assert found is not None
    assert 0.1 < found.value < 1
    assert tuple(found.interval) == (0.0, 1.0)
