"""Can a query be told from its twin by its words alone, without knowing the knowledge base?

If so, a system could score by style instead of by judgement. Each figure is about one category.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from math import fsum, log
from statistics import fmean, median

import numpy as np

from uaeval.categories.names import category_names
from uaeval.records import Category, Query
from uaeval.run_folder import Leakage

FOLDS = 5
_WORD = re.compile(r"\w+")
_OPENING = 4
FEWEST_PAIRS = 10
"""Fewer pairs than this show nothing about a category's wording."""


def leakage(queries: Iterable[Query], *, seed: int = 0) -> list[Leakage]:
    """Measure every category that has queries; figures of fewer than 10 pairs are `None`."""
    ordered = sorted(queries, key=lambda query: query.id)
    twins, known = {query.id: query for query in ordered if query.answerable}, category_names()
    members = {name: [query for query in ordered if query.category == name] for name in known}
    return [_measure(name, members[name], twins, seed) for name in known if members[name]]


def _measure(
    category: Category, queries: Sequence[Query], twins: dict[str, Query], seed: int
) -> Leakage:
    pairs = [
        (query.question, twins[query.pair_id].question)
        for query in queries
        if query.pair_id in twins
    ]
    enough = len(pairs) >= FEWEST_PAIRS
    opening, share = commonest_opening([query for query, _ in pairs]) if enough else (None, None)
    hardness = [query.hardness for query in queries if query.hardness is not None]
    return Leakage(
        category=category,
        pairs=len(pairs),
        auc=bag_of_words_auc(pairs, seed=seed) if enough else None,
        opening=opening,
        opening_share=share,
        length_ratio=length_ratio(pairs) if enough else None,
        hardness_mean=fmean(hardness) if hardness else None,
        hardness_median=median(hardness) if hardness else None,
        hardness_min=min(hardness, default=None),
        hardness_max=max(hardness, default=None),
    )


def bag_of_words_auc(pairs: Sequence[tuple[str, str]], *, seed: int = 0) -> float:
    """Return the mean AUC of telling query from twin, over folds that keep pairs together.

    The classifier is naive Bayes over the words that a text has.
    """
    words = [[set(_WORD.findall(text.lower())) for text in pair] for pair in pairs]
    order = np.random.default_rng(seed).permutation(len(pairs)).tolist()
    folds = [order[start::FOLDS] for start in range(FOLDS)]
    return fmean(
        _auc([words[at] for at in order if at not in fold], [words[at] for at in fold])
        for fold in map(set, folds)
    )


def _auc(train: Sequence[Sequence[set[str]]], test: Sequence[Sequence[set[str]]]) -> float:
    queries, twins = (Counter(chain.from_iterable(side)) for side in zip(*train, strict=True))
    odds = {word: log((queries[word] + 1) / (twins[word] + 1)) for word in queries | twins}
    of_queries, of_twins = (
        np.array([fsum(odds.get(word, 0.0) for word in text) for text in side])
        for side in zip(*test, strict=True)
    )
    above = of_queries[:, None] > of_twins
    return float(np.mean(above + (of_queries[:, None] == of_twins) / 2))


def commonest_opening(questions: Sequence[str]) -> tuple[str, float]:
    """Return the commonest first four words (fewer if there are no more) and their share."""
    openings = Counter(
        " ".join(_WORD.findall(question.casefold())[:_OPENING]) for question in questions
    )
    opening, count = min(openings.items(), key=lambda entry: (-entry[1], entry[0]))
    return opening, count / len(questions)


def length_ratio(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Return the mean length of the queries divided by that of their twins."""
    twins = sum(len(twin) for _, twin in pairs)
    return sum(len(query) for query, _ in pairs) / twins if twins else None
