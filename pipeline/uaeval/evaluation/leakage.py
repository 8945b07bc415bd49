"""Can a query be told from its twin by its words alone, without knowing the knowledge base?

If so, a system could score by style instead of by judgement. Each figure is about one category.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
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
    """Return the mean AUC, over folds that keep pairs together, of telling query from twin."""
    # Imported here: a report reads the record above and should not load sklearn, which is slow.
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_score
    from sklearn.pipeline import make_pipeline

    words = CountVectorizer(binary=True, token_pattern=_WORD.pattern)
    aucs = cross_val_score(
        make_pipeline(words, LogisticRegression(max_iter=1000)),
        [text for pair in pairs for text in pair],
        np.tile([1, 0], len(pairs)),
        groups=np.repeat(np.arange(len(pairs)), 2),
        cv=GroupKFold(n_splits=FOLDS, shuffle=True, random_state=seed),
        scoring="roc_auc",
    )
    return fmean(aucs)


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
