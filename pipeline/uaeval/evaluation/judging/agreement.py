"""How far two judges of the same things agree; neither is held to be right."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeVar

T = TypeVar("T")
A = TypeVar("A")

LEAST: Final = 3
"""Scores from which on a correlation says something."""
LARGEST: Final = 10
"""Disagreements that are listed, at the most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAgreement:
    """Two judges' labels of the same things under one metric."""

    metric: str
    first: str
    second: str
    n: int
    """What both have judged; where one failed, nothing is compared."""
    same: int
    kappa: float | None
    """Cohen's; `None` where both gave one and the same label throughout, or n is 0."""
    differing: tuple[str, ...]
    """Ids of what they label differently."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One thing that two judges score differently."""

    id: str
    first: float
    second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreAgreement:
    """Two judges' scores of the same things under one metric."""

    metric: str
    first: str
    second: str
    n: int
    pearson: float | None
    """`None` under 3 scores, or where a judge gave one and the same score throughout."""
    spearman: float | None
    largest: tuple[Disagreement, ...]
    """The largest disagreements, the largest first."""


def label_agreement(
    metric: str, names: tuple[str, str], first: Mapping[str, str], second: Mapping[str, str]
) -> LabelAgreement:
    """Compare labels by id."""
    from sklearn.metrics import cohen_kappa_score  # slow to load

    ids = sorted(first.keys() & second.keys())
    mine, theirs = [first[name] for name in ids], [second[name] for name in ids]
    kappa = float(cohen_kappa_score(mine, theirs)) if len({*mine, *theirs}) > 1 else None
    differing = tuple(name for name in ids if first[name] != second[name])
    return LabelAgreement(
        metric=metric,
        first=names[0],
        second=names[1],
        n=len(ids),
        same=len(ids) - len(differing),
        kappa=kappa,
        differing=differing,
    )


def score_agreement(
    metric: str, names: tuple[str, str], first: Mapping[str, float], second: Mapping[str, float]
) -> ScoreAgreement:
    """Compare scores by id."""
    from scipy.stats import pearsonr, spearmanr  # slow to load

    ids = sorted(first.keys() & second.keys())
    mine, theirs = [first[name] for name in ids], [second[name] for name in ids]
    varied = len(ids) >= LEAST and len(set(mine)) > 1 and len(set(theirs)) > 1
    apart = sorted(ids, key=lambda name: -abs(first[name] - second[name]))[:LARGEST]
    return ScoreAgreement(
        metric=metric,
        first=names[0],
        second=names[1],
        n=len(ids),
        pearson=float(pearsonr(mine, theirs).statistic) if varied else None,
        spearman=float(spearmanr(mine, theirs).statistic) if varied else None,
        largest=tuple(
            Disagreement(id=name, first=first[name], second=second[name])
            for name in apart
            if first[name] != second[name]
        ),
    )


def of_pairs(
    compare: Callable[[str, tuple[str, str], Mapping[str, T], Mapping[str, T]], A],
    metric: str,
    by_judge: Mapping[str, Mapping[str, T]],
) -> list[A]:
    """Compare every two judges, given what each of them says by id."""
    return [
        compare(metric, (first, second), by_judge[first], by_judge[second])
        for first, second in combinations(by_judge, 2)
    ]
