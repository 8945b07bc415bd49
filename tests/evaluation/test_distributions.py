"""Our own figures against those of SciPy and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, t
from sklearn.metrics import cohen_kappa_score, f1_score

from uaeval.evaluation.statistics.bootstrap import normal_cdf, normal_quantile
from uaeval.evaluation.statistics.intervals import Z
from uaeval.evaluation.statistics.labelled import kappa, mean_f1
from uaeval.evaluation.statistics.significance import sign_test, t_p_value, t_quantile

LABELS = "clarified refused partial answered".split()


@given(st.floats(-50, 50), st.integers(1, 5000))
def test_the_p_value_of_t(statistic: float, degrees: int) -> None:
    expected = float(2 * t.sf(abs(statistic), degrees))
    assert t_p_value(statistic, degrees) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 19, 20, 101, 5000, 200_001])
def test_the_quantile_of_t(degrees: int) -> None:
    assert t_quantile(degrees) == pytest.approx(float(t.ppf(0.975, degrees)), rel=1e-9)


def test_the_normal_distribution_of_arrays() -> None:
    points = np.linspace(-6, 6, 41)
    assert normal_cdf(points) == pytest.approx(norm.cdf(points))
    shares = np.linspace(0.0005, 0.9995, 41)
    assert normal_quantile(shares) == pytest.approx(norm.ppf(shares))
    assert pytest.approx(float(norm.ppf(0.975))) == Z
    assert np.isnan(normal_cdf(np.nan))


@given(st.integers(0, 5000), st.integers(0, 5000))
def test_the_sign_test(first: int, second: int) -> None:
    count = first + second
    expected = binomtest(first, count, 0.5).pvalue if count else 1.0
    assert sign_test(first, second) == pytest.approx(expected)


ITEMS = st.lists(
    st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS), st.floats(0.1, 50)), min_size=2
)


@given(ITEMS)
def test_the_figures_of_labels(items: list[tuple[str, str, float]]) -> None:
    first, second, weights = (list(column) for column in zip(*items, strict=True))
    if len({*first, *second}) > 1:
        expected = cohen_kappa_score(first, second, sample_weight=weights)
        assert kappa(first, second, weights) == pytest.approx(expected, abs=1e-9)
        plain = cohen_kappa_score(first, second)
        assert kappa(first, second) == pytest.approx(plain, abs=1e-9)
    occurring = sorted({*first, *second})
    expected = f1_score(
        first, second, labels=occurring, average="macro", sample_weight=weights, zero_division=0
    )
    assert mean_f1(first, second, occurring, weights) == pytest.approx(expected)
