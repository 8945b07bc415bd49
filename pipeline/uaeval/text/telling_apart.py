"""Classify queries and their answerable twins by their words alone.

If this succeeds, a system could score well without judging answerability. The classifier is naive
Bayes over the words that a text has or lacks, trained on other pairs than those it classifies.
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
"""Why a pair is easy: words tell query and twin apart, or a model is right without passages."""
FOLDS: Final = 5
FEWEST_PAIRS: Final = 10
"""Fewest pairs for which the classifier is used."""
SURE: Final = log(9)
"""Log odds (nine to one) from which on the classifier counts as sure."""


def bag_of_words_auc(pairs: Sequence[Pair]) -> float:
    """Return the mean AUC of classifying queries and twins, over folds that keep pairs together."""
    return fmean(_auc([odds for _, odds in fold]) for fold in _folds(pairs))


def told_apart(pairs: Sequence[Pair]) -> list[bool]:
    """Return, for each pair, whether a classifier trained on others is sure of query and twin."""
    if len(pairs) < FEWEST_PAIRS:
        return [False] * len(pairs)
    odds = dict(chain.from_iterable(_folds(pairs)))
    return [odds[index][0] >= SURE and odds[index][1] <= -SURE for index in range(len(pairs))]


def _folds(pairs: Sequence[Pair]) -> Iterator[list[tuple[int, tuple[float, float]]]]:
    """Yield folds: the index of each pair, and the log odds that query and twin are queries."""
    words = [tuple(set(re.findall(r"\w+", text.lower())) for text in pair) for pair in pairs]
    order = np.random.default_rng(0).permutation(len(pairs)).tolist()
    for start in range(FOLDS):
        fold = order[start::FOLDS]
        log_odds = _trained([words[index] for n, index in enumerate(order) if n % FOLDS != start])
        yield [(index, (log_odds(words[index][0]), log_odds(words[index][1]))) for index in fold]


def _trained(pairs: Sequence[tuple[set[str], ...]]) -> Callable[[set[str]], float]:
    """Return a Bernoulli naive Bayes classifier with add-one smoothing, fitted to `pairs`."""
    queries, twins = (Counter(chain.from_iterable(side)) for side in zip(*pairs, strict=True))
    shares = {
        word: ((queries[word] + 1) / (len(pairs) + 2), (twins[word] + 1) / (len(pairs) + 2))
        for word in queries | twins
    }
    absent = {word: log((1 - query) / (1 - twin)) for word, (query, twin) in shares.items()}
    present = {word: log(query / twin) for word, (query, twin) in shares.items()}
    no_words = fsum(absent.values())
    return lambda text: (
        no_words + fsum(present[word] - absent[word] for word in text & shares.keys())
    )


def _auc(scores: Sequence[tuple[float, float]]) -> float:
    """Return the share of query-twin combinations with a higher query; ties count half."""
    queries, twins = (np.array(side) for side in zip(*scores, strict=True))
    return float(np.mean((queries[:, None] > twins) + (queries[:, None] == twins) / 2))
