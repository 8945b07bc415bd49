import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uaeval.evaluation.statistics.significance import holm, mcnemar

SHARES = st.lists(st.floats(0, 1), max_size=12)


def _pairs(both: int, only_first: int, only_second: int, neither: int) -> list[tuple[bool, bool]]:
    return [
        *[(True, True)] * both,
        *[(True, False)] * only_first,
        *[(False, True)] * only_second,
        *[(False, False)] * neither,
    ]


@pytest.mark.parametrize(
    ("only_first", "only_second", "p_value"),
    [(0, 5, 2 / 32), (1, 7, 18 / 256), (3, 3, 1.0), (0, 0, 1.0), (10, 0, 2 / 1024)],
)
def test_mcnemar_counts_how_seldom_so_uneven_a_split_is(
    only_first: int, only_second: int, p_value: float
) -> None:
    found = mcnemar(_pairs(20, only_first, only_second, 9))
    assert (found.pairs, found.both) == (29 + only_first + only_second, 20)
    assert (found.only_first, found.only_second) == (only_first, only_second)
    assert found.p_value == pytest.approx(p_value)


def test_without_a_pair_there_is_no_p_value() -> None:
    assert mcnemar([]).p_value is None


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_mcnemar_does_not_care_which_run_comes_first(pairs: list[tuple[bool, bool]]) -> None:
    turned = [(second, first) for first, second in pairs]
    assert mcnemar(pairs).p_value == pytest.approx(mcnemar(turned).p_value)


def test_holm_gives_the_worked_example() -> None:
    """Sorted .005, .01, .03, .04 become .02, .03, .06, .06 (the last held up by the one before)."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_one_comparison_needs_no_correction_and_none_gives_none() -> None:
    assert holm([0.04]) == (0.04,)
    assert holm([]) == ()


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_an_invalid_p_value_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="p-values should be in"):
        holm([0.2, wrong])


@given(SHARES)
def test_holm_never_lowers_a_p_value_nor_goes_beyond_bonferroni(p_values: list[float]) -> None:
    for before, after in zip(p_values, holm(p_values), strict=True):
        assert before <= after <= min(1, len(p_values) * before + 1e-12)


@given(SHARES, st.randoms(use_true_random=False))
def test_the_order_of_comparisons_changes_no_adjusted_value(
    p_values: list[float], order: random.Random
) -> None:
    places = list(range(len(p_values)))
    order.shuffle(places)
    shuffled = holm([p_values[place] for place in places])
    expected = holm(p_values)
    assert list(shuffled) == pytest.approx([expected[place] for place in places])
