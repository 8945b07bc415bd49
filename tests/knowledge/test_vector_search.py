import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from uaeval.knowledge.embedding import Vectors
from uaeval.knowledge.search import VectorSearch


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


@pytest.mark.parametrize("dense", [True, False])
@given(seed=st.integers(0, 10_000), n=st.integers(1, 60))
def test_the_hits_are_those_of_the_definition(dense: bool, seed: int, n: int) -> None:
    vectors = made(seed, 50, dense=dense)
    query = made(seed + 1, 1, dense=dense)[0]
    names = [f"c{place:02d}" for place in range(50)]
    exact = (vectors.astype(np.float64) @ query.astype(np.float64)).round(6)
    order = sorted(range(50), key=lambda place: (-exact[place], names[place]))
    if n < 50 and exact[order[0]] > exact[order[n]]:
        order = [place for place in order if exact[place] > exact[order[n]]]

    search = VectorSearch([[name] for name in names], vectors)
    hits = search.search(query, n)

    assert list(hits.items()) == [(names[place], exact[place]) for place in order[:n]]
    assert search.similarities(query, ["c07", "c03"]) == {"c07": exact[7], "c03": exact[3]}


@given(seed=st.integers(0, 10_000))
def test_the_order_of_the_vectors_changes_no_digit(seed: int) -> None:
    vectors, query = made(seed, 300, dense=True), made(seed + 1, 1, dense=True)[0]
    mixed = np.random.default_rng(seed).permutation(300)
    straight = VectorSearch([[str(place)] for place in range(300)], vectors)
    shuffled = VectorSearch([[str(place)] for place in mixed], vectors[mixed])

    assert list(straight.search(query, 20).items()) == list(shuffled.search(query, 20).items())


def test_what_shares_a_vector_is_ordered_by_id() -> None:
    vectors = unit(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    search = VectorSearch([["d", "b"], ["a"], ["c"]], vectors)

    query = np.array([1.0, 0.0], np.float32)
    hits = [("b", 1.0), ("d", 1.0), ("a", 0.707107), ("c", 0.0)]

    assert list(search.search(query, 3).items()) == hits[:3]
    assert list(search.search(query, 4).items()) == hits
