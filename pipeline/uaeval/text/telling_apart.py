"""Tell unanswerable queries from their answerable twins by their words alone.

A system could score by style instead of by judgement where this succeeds. The classifier is naive
Bayes over the words that a text has or lacks, trained on other pairs than those it is asked about.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import fsum, log
from statistics import fmean
from typing import Final, Literal, TypeAlias

import numpy as np

Pair: TypeAlias = tuple[str, str]
"""A query and its twin."""

Easy: TypeAlias = Literal["words", "closed_book"]
"""Why a pair is easy: its words give it away, or a model gets it right without passages."""
FOLDS: Final = 5
FEWEST_PAIRS: Final = 10
"""Fewer pairs than this show nothing about their wording."""
SURE: Final = log(9)
"""Log odds of a side (nine to one) from which the classifier counts as sure of it."""
_WORD: Final = re.compile(r"\w+")


def bag_of_words_auc(pairs: Sequence[Pair], *, seed: int = 0) -> float:
    """Return the mean AUC, over folds that keep pairs together, of telling query from twin."""
    return fmean(_auc([odds for _, odds in fold]) for fold in _folds(pairs, seed))


def told_apart(pairs: Sequence[Pair], *, seed: int = 0) -> list[bool]:
    """Return of each pair whether a classifier trained on the others is sure of both its sides."""
    if len(pairs) < FEWEST_PAIRS:
        return [False] * len(pairs)
    sides = dict(chain.from_iterable(_folds(pairs, seed)))
    return [sides[at][0] >= SURE and sides[at][1] <= -SURE for at in range(len(pairs))]


def _folds(pairs: Sequence[Pair], seed: int) -> Iterator[list[tuple[int, tuple[float, float]]]]:
    """Yield folds: of each pair its place, and the log odds that query and twin are queries."""
    words = [tuple(set(_WORD.findall(text.lower())) for text in pair) for pair in pairs]
    order = np.random.default_rng(seed).permutation(len(pairs)).tolist()
    for start in range(FOLDS):
        fold = order[start::FOLDS]
        log_odds = _trained([words[at] for n, at in enumerate(order) if n % FOLDS != start])
        yield [(at, (log_odds(words[at][0]), log_odds(words[at][1]))) for at in fold]


def _trained(pairs: Sequence[tuple[set[str], ...]]) -> Callable[[set[str]], float]:
    """Return a Bernoulli naive Bayes classifier with add-one smoothing, fitted to `pairs`."""
    queries, twins = (Counter(chain.from_iterable(side)) for side in zip(*pairs, strict=True))
    shares = {
        word: ((queries[word] + 1) / (len(pairs) + 2), (twins[word] + 1) / (len(pairs) + 2))
        for word in queries | twins
    }
    absent = {word: log((1 - query) / (1 - twin)) for word, (query, twin) in shares.items()}
    present = {word: log(query / twin) for word, (query, twin) in shares.items()}
    of_none = fsum(absent.values())
    return lambda text: (
        of_none + fsum(present[word] - absent[word] for word in text & shares.keys())
    )


def _auc(scores: Sequence[tuple[float, float]]) -> float:
    """Return how often a query scores above a twin; a tie counts half."""
    queries, twins = (np.array(side) for side in zip(*scores, strict=True))
    above = queries[:, None] > twins
    return float(np.mean(above + (queries[:, None] == twins) / 2))
