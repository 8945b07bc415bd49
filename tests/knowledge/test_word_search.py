import random
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uaeval.knowledge.exact_search import WordSearch
from uaeval.text.words import stem, tokens

WORDS = [f"{start}{middle}x" for start in "bcdfgklmnp" for middle in ("oru", "ani", "elo")]


def search_of(texts: Sequence[str]) -> tuple[WordSearch, bm25s.BM25]:
    """Return a search, and the library's index of the same texts."""
    with TemporaryDirectory() as folder:
        WordSearch.write(texts, Path(folder))
        return WordSearch(Path(folder)), bm25s.BM25.load(folder, show_progress=False)


def by_definition(index: bm25s.BM25, text: str, n: int) -> list[int]:
    """Score every passage, and return the best `n`."""
    known = [word for word in map(stem, tokens(text)) if word in index.vocab_dict]
    scores = np.round(index.get_scores(known), 4).tolist() if known else []
    hits = [number for number, score in enumerate(scores) if score > 0]
    return sorted(hits, key=lambda number: (-scores[number], number))[:n]


def written(chance: random.Random, count: int, longest: int) -> list[str]:
    """Return passages of words of which some are common and some are rare; several are equal."""
    weights = [1 / rank for rank in range(1, len(WORDS) + 1)]
    texts = [
        " ".join(chance.choices(WORDS, weights, k=chance.randint(0, longest))) for _ in range(count)
    ]
    return [chance.choice(texts) if chance.random() < 0.3 else text for text in texts]


@settings(deadline=None)
@given(
    seed=st.integers(0, 10**6),
    count=st.sampled_from([1, 7, 60, 1_500]),
    longest=st.sampled_from([1, 8, 60]),
)
def test_the_hits_are_those_of_scoring_every_passage(seed: int, count: int, longest: int) -> None:
    chance = random.Random(seed)
    search, index = search_of(written(chance, count, longest))
    for size in (1, 2, 6, 30):
        text = " ".join(chance.choices([*WORDS, "absent"], k=size))  # some words are repeated
        for n in (1, 10, count, count + 1):
            assert search.search(text, n) == by_definition(index, text, n)


@pytest.mark.parametrize("text", ["", "absent", "absent ?"])
def test_a_text_without_a_word_of_a_passage_has_no_hit(text: str) -> None:
    search, _ = search_of(["borux canix", "", "borux"])
    assert search.search(text, 5) == []


def test_passages_without_words_have_no_hits() -> None:
    search, _ = search_of(["", "?"])
    assert search.search("borux", 5) == []


def test_equal_passages_are_sorted_by_number_beyond_the_last_hit() -> None:
    search, _ = search_of(["canix", *["borux canix"] * 40, "canix canix"] * 20)
    assert search.search("borux canix", 50) == [*range(1, 41), *range(43, 53)]


def test_a_repeated_word_counts_each_time() -> None:
    texts = [*["common"] * 30, "borux", "canix", "canix"]
    search, index = search_of(texts)
    assert search.search("borux canix canix", 3) == by_definition(index, "borux canix canix", 3)
    assert search.search("borux canix", 1) == [30]
    assert search.search("borux canix canix", 1) == [31]
