"""Measure the agreement of every two judges or annotators."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeVar

from uaeval.evaluation.statistics.labelled import kappa

T = TypeVar("T")

FEWEST_SCORES: Final = 3
"""Fewest common scores of two judges that are correlated."""
MOST_LISTED: Final = 10
"""Most disagreements that are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAgreement:
    """The agreement of two judges' labels under one metric."""

    metric: str
    first: str
    second: str
    n: int
    """Number of items that both have labelled."""
    same: int
    kappa: float | None
    """Cohen's kappa; `None` if both gave the same single label to all items, or n is 0."""
    differing: tuple[str, ...]
    """Ids of the items with different labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One item that two judges score differently."""

    id: str
    first: float
    second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreAgreement:
    """The agreement of two judges' scores under one metric."""

    metric: str
    first: str
    second: str
    n: int
    pearson: float | None
    """`None` for fewer than `FEWEST_SCORES`, or if a judge gave the same score to all items."""
    spearman: float | None
    largest: tuple[Disagreement, ...]
    """The largest disagreements, in descending order."""


def label_agreement(
    metric: str, first: str, second: str, items: Sequence[tuple[str, str, str]]
) -> LabelAgreement:
    """Compare the labels of the judges `first` and `second`; an item has an id and both labels."""
    differing = tuple(name for name, ours, theirs in items if ours != theirs)
    labels = [ours for _, ours, _ in items], [theirs for _, _, theirs in items]
    return LabelAgreement(
        metric=metric,
        first=first,
        second=second,
        n=len(items),
        same=len(items) - len(differing),
        kappa=kappa(*labels) if len({*labels[0], *labels[1]}) > 1 else None,
        differing=differing,
    )


def score_agreement(
    metric: str, first: str, second: str, items: Sequence[tuple[str, float, float]]
) -> ScoreAgreement:
    """Compare two judges' scores of items, as `label_agreement` compares labels."""
    from pandas import Series  # slow to import

    a, b = (Series([item[judge] for item in items]) for judge in (1, 2))
    is_defined = len(items) >= FEWEST_SCORES and a.nunique() > 1 and b.nunique() > 1
    apart = [Disagreement(id=name, first=x, second=y) for name, x, y in items if x != y]
    apart.sort(key=lambda scores: -abs(scores.first - scores.second))
    return ScoreAgreement(
        metric=metric,
        first=first,
        second=second,
        n=len(items),
        pearson=float(a.corr(b)) if is_defined else None,
        spearman=float(a.rank().corr(b.rank())) if is_defined else None,
        largest=tuple(apart[:MOST_LISTED]),
    )


def compared(
    values: Iterable[tuple[str, str, str, T]],
) -> Iterator[tuple[str, str, str, list[tuple[str, T, T]]]]:
    """Yield a metric, two judges and their common items, for every two judges, by metric.

    Each of `values` is a metric, a judge, the id of an item, and the judge's label or score of it.
    Metrics and judges keep their order.
    """
    by_metric = defaultdict[str, dict[str, dict[str, T]]](lambda: defaultdict(dict))
    for metric, judge_name, item, value in values:
        by_metric[metric][judge_name][item] = value
    for metric, by_judge in by_metric.items():
        for (first, ours), (second, theirs) in combinations(by_judge.items(), 2):
            common = sorted(ours.keys() & theirs)
            yield metric, first, second, [(name, ours[name], theirs[name]) for name in common]


def label_agreements(labels: Iterable[tuple[str, str, str, str]]) -> tuple[LabelAgreement, ...]:
    """Compare the labels of every two judges that have common items."""
    return tuple(label_agreement(*pair) for pair in compared(labels) if pair[-1])
