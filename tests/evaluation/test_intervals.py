from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, ttest_1samp

from uaeval.evaluation.statistics.bootstrap import cluster_bootstrap
from uaeval.evaluation.statistics.intervals import effective_size, wilson
from uaeval.evaluation.statistics.statistic import Array


def design_effect(outcomes: Sequence[bool], clusters: Sequence[str]) -> float:
    return len(outcomes) / effective_size(outcomes, clusters)


@pytest.mark.parametrize(("hits", "n"), [(0, 7), (3, 10), (52, 58), (500, 1000), (12, 12)])
def test_wilson_agrees_with_scipy_on_whole_counts(hits: int, n: int) -> None:
    expected = binomtest(hits, n).proportion_ci(method="wilson")
    assert wilson(hits / n, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_independent_items_have_no_design_effect() -> None:
    clusters = [f"d{i}" for i in range(40)]
    effect = design_effect([i % 2 == 0 for i in range(40)], clusters)
    assert effect == pytest.approx(40 / 39)


def test_twins_that_always_agree_carry_half_the_information() -> None:
    outcomes = [i % 4 < 2 for i in range(80)]
    clusters = [f"d{i // 2}" for i in range(80)]
    assert design_effect(outcomes, clusters) == pytest.approx(2 * 40 / 39)


def test_twins_that_never_agree_are_not_taken_as_more_than_they_are() -> None:
    outcomes = [i % 2 == 0 for i in range(80)]
    assert design_effect(outcomes, [f"d{i // 2}" for i in range(80)]) == 1.0


@pytest.mark.parametrize("outcome", [True, False])
def test_where_all_agree_a_document_counts_once(outcome: bool) -> None:
    outcomes, clusters = [outcome] * 60, [f"d{i // 3}" for i in range(60)]
    assert design_effect(outcomes, clusters) == 3.0
    assert effective_size(outcomes, clusters) == 20


def test_one_document_is_worth_one_item() -> None:
    assert design_effect([True, False, True, True], ["d"] * 4) == 4.0


def test_uneven_weights_carry_less_and_equal_ones_change_nothing() -> None:
    outcomes, clusters = [i % 3 == 0 for i in range(60)], [f"d{i}" for i in range(60)]
    alike = effective_size(outcomes, clusters, [5.0] * 60)
    assert alike == pytest.approx(effective_size(outcomes, clusters))
    uneven = effective_size(outcomes, clusters, [1.0 if i % 2 else 9.0 for i in range(60)])
    assert uneven < 0.7 * alike


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=1, max_size=60))
def test_an_interval_holds_its_share(items: list[tuple[bool, int]]) -> None:
    outcomes, clusters = [hit for hit, _ in items], [f"d{place}" for _, place in items]
    share = sum(outcomes) / len(outcomes)
    low, high = wilson(share, effective_size(outcomes, clusters))
    assert 0 <= low <= share <= high <= 1


def _mean(totals: Array) -> Array:
    with np.errstate(invalid="ignore"):
        return np.asarray(totals[..., :1] / totals[..., 1:2])


def test_the_bootstrap_of_a_mean_is_as_wide_as_theory_says() -> None:
    hits = np.arange(400) % 2
    columns = np.stack([hits, np.ones(400)], axis=1).astype(np.float64)
    ((low, high),) = cluster_bootstrap(columns, [f"d{i}" for i in range(400)], _mean).intervals()
    assert (high - low) / 2 == pytest.approx(1.96 * 0.5 / 20, rel=0.1)
    assert (low + high) / 2 == pytest.approx(0.5, abs=0.01)


def test_the_bootstrap_draws_whole_documents() -> None:
    hits = np.arange(400) // 4 % 2
    columns = np.stack([hits, np.ones(400)], axis=1).astype(np.float64)
    ((low, high),) = cluster_bootstrap(
        columns, [f"d{i // 4}" for i in range(400)], _mean
    ).intervals()
    assert (high - low) / 2 == pytest.approx(1.96 * 0.5 / 10, rel=0.1)


def test_the_bootstrap_does_not_depend_on_the_order_of_rows() -> None:
    columns = np.stack([np.arange(90.0) ** 2, np.ones(90)], axis=1)
    clusters = [f"d{i // 3}" for i in range(90)]
    first = cluster_bootstrap(columns, clusters, _mean).intervals()
    assert first == cluster_bootstrap(columns[::-1], clusters[::-1], _mean).intervals()


def test_for_normal_data_the_interval_is_the_t_interval_of_the_documents() -> None:
    values = np.random.default_rng(3).normal(size=30)
    columns = np.stack([values, np.ones(30)], axis=1)
    ((low, high),) = cluster_bootstrap(columns, [f"d{i}" for i in range(30)], _mean).intervals()
    wanted = ttest_1samp(values, 0).confidence_interval()
    assert high - low == pytest.approx(wanted.high - wanted.low, rel=0.06)
    assert (low, high) == pytest.approx((wanted.low, wanted.high), abs=0.06)


def test_the_interval_of_a_skewed_figure_reaches_further_to_its_long_side() -> None:
    values = np.random.default_rng(4).exponential(size=30)
    columns = np.stack([values, np.ones(30)], axis=1)
    ((low, high),) = cluster_bootstrap(columns, [f"d{i}" for i in range(30)], _mean).intervals()
    assert high - values.mean() > 1.2 * (values.mean() - low)


def test_draws_in_which_a_figure_is_undefined_are_left_out_of_it() -> None:
    columns = np.zeros((6, 2))
    columns[:2] = [[1, 1], [0, 1]]
    found = cluster_bootstrap(columns, list("abcdef"), _mean)
    assert np.isnan(found.drawn).any()
    assert found.intervals() == ((0.0, 1.0),)
