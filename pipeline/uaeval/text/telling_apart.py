"""Tell unanswerable queries from their answerable twins by their words alone.

A system could score by style instead of by judgement where this succeeds.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

Pair: TypeAlias = tuple[str, str]
"""A query and its twin."""

Easy: TypeAlias = Literal["words", "closed_book"]
"""Why a pair is easy: its words give it away, or a model gets it right without passages."""
FOLDS: Final = 5
FEWEST_PAIRS: Final = 10
"""Fewer pairs than this show nothing about their wording."""
SURE: Final = 0.75
"""Probability from which a classifier that has not seen a question is sure of its side."""


def bag_of_words_auc(pairs: Sequence[Pair], *, seed: int = 0) -> float:
    """Return the mean AUC, over folds that keep pairs together, of telling query from twin."""
    from sklearn.model_selection import cross_val_score

    return float(cross_val_score(scoring="roc_auc", **_classification(pairs, seed)).mean())


def told_apart(pairs: Sequence[Pair], *, seed: int = 0) -> list[bool]:
    """Return of each pair whether a classifier trained on the others is sure of both its sides."""
    if len(pairs) < FEWEST_PAIRS:
        return [False] * len(pairs)
    from sklearn.model_selection import cross_val_predict

    sides = cross_val_predict(method="predict_proba", **_classification(pairs, seed))[:, 1]
    return [
        bool(query >= SURE and twin <= 1 - SURE)
        for query, twin in zip(sides[::2], sides[1::2], strict=True)
    ]


def _classification(pairs: Sequence[Pair], seed: int) -> Mapping[str, Any]:
    """Return the classifier, the questions and the folds, as arguments of sklearn."""
    # Imported here: a report reads only the figures and should not load sklearn, which is slow.
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold
    from sklearn.pipeline import make_pipeline

    words = CountVectorizer(binary=True, token_pattern=r"\w+")
    return {
        "estimator": make_pipeline(words, LogisticRegression(max_iter=1000)),
        "X": [text for pair in pairs for text in pair],
        "y": [1, 0] * len(pairs),
        "groups": [number for number in range(len(pairs)) for _ in range(2)],
        "cv": GroupKFold(n_splits=FOLDS, shuffle=True, random_state=seed),
    }
