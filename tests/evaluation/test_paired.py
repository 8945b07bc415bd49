import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from uaeval.evaluation.statistics import statistic
from uaeval.evaluation.statistics.paired import UNDEFINED, Pair, paired_difference

OUTCOMES = st.sampled_from([0.0, 1.0, None])
PAIRS = st.lists(
    st.builds(Pair, st.sampled_from([f"d{i}" for i in range(6)]), OUTCOMES, OUTCOMES), max_size=30
)


def test_with_a_query_a_document_it_agrees_with_the_paired_t_test() -> None:
    chance = np.random.default_rng(1)
    first = chance.random(60)
    second = np.clip(first + chance.normal(0.05, 0.15, 60), 0, 1)
    pairs = [Pair(f"d{i}", a, b) for i, (a, b) in enumerate(zip(first, second, strict=True))]
    found = paired_difference([pairs], statistic.rates)
    wanted = ttest_rel(second, first)
    interval = wanted.confidence_interval()
    assert (found.first, found.second) == pytest.approx((first.mean(), second.mean()))
    assert found.p_value == pytest.approx(wanted.pvalue, rel=0.3)
    assert found.interval == pytest.approx((interval.low, interval.high), abs=0.006)
    assert found.clusters == 60


def test_what_is_hard_for_both_runs_cancels_out() -> None:
    """Every document is all right or all wrong for both; one query in twenty differs."""
    pairs = [Pair(f"d{i // 5}", float(i // 5 % 2), float(i // 5 % 2)) for i in range(200)]
    pairs += [Pair(f"d{i}", 0.0, 1.0) for i in range(10)]
    found = paired_difference([pairs], statistic.rates)
    assert found.interval is not None and found.second is not None and found.first is not None
    assert found.second - found.first == pytest.approx(10 / 210)
    assert found.interval.low > 0.01 and found.interval.high < 0.1
    assert found.p_value is not None and found.p_value < 0.01


def test_documents_not_queries_carry_the_information() -> None:
    alone = [Pair(f"d{i}", 0.0, float(i % 4 == 0)) for i in range(80)]
    joined = [Pair(f"d{i % 4}", 0.0, float(i % 4 == 0)) for i in range(80)]
    one, other = (paired_difference([pairs], statistic.rates) for pairs in (alone, joined))
    assert one.second == other.second == 0.25
    assert one.p_value is not None and one.p_value < 0.001
    assert other.p_value is not None and other.p_value > 0.2


def test_nothing_in_common_is_undefined_and_not_zero() -> None:
    pairs = [Pair("d", 1.0, None), Pair("d", None, 1.0)]
    assert paired_difference([pairs], statistic.rates) == UNDEFINED
    assert paired_difference([], statistic.macro) == UNDEFINED


def test_one_document_has_no_spread_to_test_by() -> None:
    difference = paired_difference([[Pair("d", 0.0, 0.1), Pair("d", 0.0, 0.1)]], statistic.rates)
    assert (difference.second, difference.p_value, difference.clusters) == (0.1, None, 1)


def test_a_part_without_pairs_leaves_the_joint_score_undefined() -> None:
    known = [Pair(f"d{i}", 1.0, 0.0) for i in range(5)]
    assert paired_difference([known, []], statistic.joint([0.7])) == UNDEFINED


@settings(max_examples=25)
@given(PAIRS, st.randoms(use_true_random=False))
def test_order_and_errors_change_nothing(pairs: list[Pair], order: random.Random) -> None:
    before = paired_difference([pairs], statistic.rates)
    more = [*pairs, Pair("d9", None, 1.0), Pair("d0", 0.0, None)]
    order.shuffle(more)
    assert paired_difference([more], statistic.rates) == before


@settings(max_examples=25)
@given(PAIRS)
def test_swapping_the_runs_negates_the_difference(pairs: list[Pair]) -> None:
    found = paired_difference([pairs], statistic.rates)
    turned = paired_difference([[Pair(d, b, a) for d, a, b in pairs]], statistic.rates)
    assert (found.first, found.second) == (turned.second, turned.first)
    if found.p_value is None or turned.p_value is None:
        assert found.p_value is turned.p_value is None
    else:
        assert found.p_value == pytest.approx(turned.p_value)
    if found.first is not None and found.second is not None and found.interval is not None:
        assert found.interval.low <= found.second - found.first <= found.interval.high
        assert found.interval.low >= -1 and found.interval.high <= 1
