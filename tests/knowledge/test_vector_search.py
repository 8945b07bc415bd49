from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from uaeval.knowledge.embedding import Vectors
from uaeval.knowledge.exact_search import VectorSearch, nth_largest


def unit(rows: NDArray[np.float64]) -> Vectors:
    found: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return found


def made(seed: int, count: int, *, dense: bool) -> Vectors:
    chance = np.random.default_rng(seed)
    rows = chance.normal(size=(count, 64))
    if not dense:
        rows *= chance.random(rows.shape) < 0.1
        rows[:, 0] += 0.01
    return unit(rows)


def search_of(vectors: Vectors, rows: Sequence[int] | None = None) -> VectorSearch:
    """Return a search whose files are gone, as those that another build replaces are."""
    with TemporaryDirectory() as folder:
        VectorSearch.write(vectors, range(len(vectors)) if rows is None else rows, Path(folder))
        return VectorSearch(vectors, Path(folder))


@pytest.mark.parametrize("dense", [True, False])
@given(seed=st.integers(0, 10_000), n=st.integers(1, 60))
def test_the_hits_are_those_of_the_definition(dense: bool, seed: int, n: int) -> None:
    vectors = made(seed, 50, dense=dense)
    query = made(seed + 1, 1, dense=dense)[0]
    exact = (vectors.astype(np.float64) @ query.astype(np.float64)).round(6)
    order = sorted(range(50), key=lambda place: (-exact[place], place))
    if n < 50 and exact[order[0]] > exact[order[n]]:
        order = [place for place in order if exact[place] > exact[order[n]]]

    search = search_of(vectors)
    hits = search.search(query, n)

    assert list(hits.items()) == [(place, exact[place]) for place in order[:n]]
    assert search.similarities(query, [7, 3]) == {7: exact[7], 3: exact[3]}


@given(values=st.lists(st.integers(-3, 40), min_size=1, max_size=900), n=st.integers(1, 1_000))
def test_the_nth_largest_value_is_that_of_the_sorted_values(values: list[int], n: int) -> None:
    ranked = sorted(values, reverse=True)
    wanted = float(ranked[n - 1]) if n <= len(ranked) else -np.inf
    assert nth_largest(np.array(values, np.float32), n) == wanted


@given(seed=st.integers(0, 10_000))
def test_the_order_of_the_vectors_changes_no_digit(seed: int) -> None:
    vectors, query = made(seed, 300, dense=True), made(seed + 1, 1, dense=True)[0]
    mixed = np.random.default_rng(seed).permutation(300)
    straight = search_of(vectors)
    shuffled = search_of(vectors[mixed], np.argsort(mixed).tolist())

    assert list(straight.search(query, 20).items()) == list(shuffled.search(query, 20).items())


def test_what_shares_a_vector_is_ordered_by_place() -> None:
    vectors = unit(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    search = search_of(vectors, [1, 0, 2, 0])

    query = np.array([1.0, 0.0], np.float32)
    hits = [(1, 1.0), (3, 1.0), (0, 0.707107), (2, 0.0)]

    assert list(search.search(query, 3).items()) == hits[:3]
    assert list(search.search(query, 4).items()) == hits


def test_hits_are_exact_among_vectors_equal_in_one_byte_steps() -> None:
    chance = np.random.default_rng(0)
    vectors = unit(1 + 1e-4 * chance.normal(size=(2_000, 64)))
    query = unit(chance.normal(size=(1, 64)))[0]
    exact = (vectors.astype(np.float64) @ query.astype(np.float64)).round(6)

    hits = search_of(vectors).search(query, 20)

    assert hits
    assert set(hits) == set(np.flatnonzero(exact > np.sort(exact)[-21]).tolist())
