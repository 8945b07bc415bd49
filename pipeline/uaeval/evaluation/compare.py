"""Compare the figures and outcomes of evaluations of the same dataset."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias

from uaeval.categories.names import category_names
from uaeval.errors import StorageError
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.evaluation.metrics.ratios import Composite, Ratio
from uaeval.evaluation.metrics.registry import ACCEPTABLE, CORRECTNESS, JOINT, STANDARD, of_family
from uaeval.evaluation.metrics.spec import MACRO, OVERALL, Family, MetricSpec
from uaeval.evaluation.statistics import paired, significance
from uaeval.evaluation.statistics.intervals import Interval
from uaeval.evaluation.statistics.statistic import Statistic, macro, rates

Members: TypeAlias = Sequence[tuple[QueryOutcomeRow, QueryOutcomeRow]]
"""The outcomes of each query in the first run and in the second."""
Figure: TypeAlias = tuple[MetricSpec, str, Sequence[Sequence[paired.Pair]], Statistic]
"""A metric, a group, the pairs of each part of the value, and the function of the parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One figure of two runs, over the queries that were judged in both."""

    first_run: str
    second_run: str
    metric: str
    group: str
    pairs: int
    left_out: int
    """Queries that were not judged in one of the runs (error or undecided)."""
    asked_once: int
    """Queries of the dataset, for all figures, that only one of the runs asked: people marked them
    invalid, or no longer do."""
    first: float | None
    second: float | None
    interval: Interval | None
    """95 % interval of second minus first, by paired cluster bootstrap."""
    clusters: int
    mcnemar: significance.McNemar | None
    """`None` for a composite figure, which is not a yes-or-no outcome."""
    p_value: float | None
    """Exact McNemar test for a yes-or-no outcome, else paired cluster bootstrap.

    McNemar's test assumes independent queries; if many share a document its p-value is too small.
    """
    clustered_p: float | None
    """p-value of the paired cluster bootstrap, for every figure; never corrected. `None` if the
    difference is the same in all documents."""
    adjusted: float | None = None
    """The p-value after Holm's correction: the joint score's for the pairs of runs, the other
    figures' for all figures and pairs together."""

    @property
    def primary(self) -> bool:
        """Whether this is the primary figure, the joint score."""
        return self.metric == JOINT.name

    @property
    def difference(self) -> float | None:
        """Second minus first; `None` if one of them is undefined."""
        if self.first is None or self.second is None:
            return None
        return self.second - self.first

    @property
    def significant(self) -> bool:
        """Whether the corrected p-value is significant, and that between documents if defined."""
        by_document = (self.clustered_p or 0.0) < significance.LEVEL
        return by_document and self.adjusted is not None and self.adjusted < significance.LEVEL

    @property
    def reliable(self) -> bool:
        """Whether the interval rests on at least 20 documents that do not all agree."""
        return self.interval is not None and self.interval.is_reliable(self.clusters)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedOutcome:
    """A query that one run got right and the other did not."""

    query_id: str
    question: str
    metric: str
    good: str
    """The run that got the query right."""
    bad: str


def compare(runs: Sequence[Evaluation], *, primary_only: bool = False) -> tuple[Comparison, ...]:
    """Compare every two of `runs` in all figures, or only in the joint score.

    The p-value of the joint score is corrected for the number of pairs of runs, so with two runs
    it is unchanged. The p-values of the other figures are corrected together.

    Raises:
        StorageError: the runs have different queries, policies or weights, or equal names.
    """
    _check_comparable(runs)
    comparisons = list[Comparison]()
    for first, second in combinations(runs, 2):
        figures = list(_outcome_figures(first, second, [JOINT] if primary_only else STANDARD))
        figures += () if primary_only else _mean_figures(first, second)
        asked_once = len({a.query_id for a in first.items} ^ {b.query_id for b in second.items})
        comparisons += [
            _comparison(first.name, second.name, figure, asked_once) for figure in figures
        ]
    return corrected(comparisons)


def corrected(comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Return the comparisons with p-values adjusted by Holm's method: joint scores, then others."""
    adjusted: dict[int, float] = {}
    for primary in (True, False):
        tested = {
            place: comparison.p_value
            for place, comparison in enumerate(comparisons)
            if comparison.primary is primary and comparison.p_value is not None
        }
        adjusted |= zip(tested, significance.holm(list(tested.values())), strict=True)
    return tuple(
        replace(comparison, adjusted=adjusted.get(place))
        for place, comparison in enumerate(comparisons)
    )


def _check_comparable(runs: Sequence[Evaluation]) -> None:
    """Raise `StorageError` unless the runs share dataset, policy and weights, and names differ."""
    if len(runs) < 2:
        raise StorageError("compare takes two evaluations or more: DATASET/evaluations/<name> …")
    first = runs[0]
    for run in runs[1:]:
        if run.manifest.dataset != first.manifest.dataset:
            raise StorageError(
                f"{run.folder} was run on other queries than {first.folder}; "
                "evaluate both on one dataset"
            )
        for setting in ("policy", "weights"):
            mine, other = (each.manifest.settings.get(setting) for each in (run, first))
            if mine != other:
                raise StorageError(
                    f"{run.folder} was scored with {setting} {mine}, {first.folder} with {other}; "
                    "evaluate both with the same, or use `uaeval score`"
                )
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        raise StorageError(f"compare takes evaluations of different names, got {', '.join(names)}")


def _outcome_figures(
    first: Evaluation, second: Evaluation, metrics: Sequence[Ratio | Composite]
) -> Iterator[Figure]:
    """Yield the figures that are computed from the outcomes of queries."""
    outcomes, weights = _joined(first, second), first.manifest.score_settings.weights
    for metric in metrics:
        if not metric.compared:
            continue
        if isinstance(metric, Composite):
            parts = [_pairs(ratio, outcomes) for ratio in metric.parts]
            yield metric, OVERALL, parts, metric.statistic(weights[0])
            continue
        yield metric, OVERALL, [_pairs(metric, outcomes)], rates
        if metric.by_category:
            by_category = [
                (category, _pairs(metric, members))
                for category in category_names()
                if (members := [pair for pair in outcomes if pair[0].category == category])
            ]
            yield metric, MACRO, [pairs for _, pairs in by_category], macro
            for category, pairs in by_category:
                yield metric, category, [pairs], rates


def _mean_figures(first: Evaluation, second: Evaluation) -> Iterator[Figure]:
    """Yield the figures of the metrics on demand that both runs have."""
    outcomes = _joined(first, second) if first.means and second.means else ()
    for metric in of_family(Family.JUDGED):
        pairs = []
        for item, _ in outcomes:
            mine, other = (run.means.get(item.query_id, {}) for run in (first, second))
            pairs.append(paired.Pair(item.document, mine.get(metric.name), other.get(metric.name)))
        pairs = [pair for pair in pairs if (pair.first, pair.second) != (None, None)]
        if any(pair.known for pair in pairs):
            yield metric, OVERALL, [pairs], rates


def flips(runs: Sequence[Evaluation]) -> tuple[ChangedOutcome, ...]:
    """Return the queries with a response that is right (acceptable or correct) in one run only."""
    flipped = list[ChangedOutcome]()
    questions = {query.id: query.question for query in runs[0].queries}
    for first, second in combinations(runs, 2):
        for a, b in _joined(first, second):
            ratio = CORRECTNESS if a.answerable else ACCEPTABLE
            names = {_outcome(ratio, a): first.name, _outcome(ratio, b): second.name}
            if names.keys() == {True, False}:
                flipped.append(
                    ChangedOutcome(
                        query_id=a.query_id,
                        question=questions[a.query_id],
                        metric=ratio.name,
                        good=names[True],
                        bad=names[False],
                    )
                )
    return tuple(flipped)


def _joined(first: Evaluation, second: Evaluation) -> Members:
    """Return the outcomes of the queries that both runs asked."""
    other = {item.query_id: item for item in second.items}
    return [(item, other[item.query_id]) for item in first.items if item.query_id in other]


def _outcome(ratio: Ratio, item: QueryOutcomeRow) -> bool | None:
    """Return whether a row counts; `None` if that is unknown or the ratio does not apply."""
    return ratio.outcome(item) if ratio.applies_to(item) else None


def _pairs(ratio: Ratio, members: Members) -> list[paired.Pair]:
    included = ((a, b) for a, b in members if ratio.includes(a))
    return [paired.Pair(a.document, _outcome(ratio, a), _outcome(ratio, b)) for a, b in included]


def _comparison(first_run: str, second_run: str, figure: Figure, asked_once: int) -> Comparison:
    """Compare a figure by paired cluster bootstrap, and a proportion also by McNemar's test."""
    metric, group, parts, statistic = figure
    difference = paired.paired_difference(parts, statistic)
    known = [pair for part in parts for pair in part if pair.known]
    test = None
    if isinstance(metric, Ratio) and group != MACRO:
        test = significance.mcnemar([(bool(pair.first), bool(pair.second)) for pair in known])
    return Comparison(
        first_run=first_run,
        second_run=second_run,
        metric=metric.name,
        group=group,
        pairs=len(known),
        left_out=sum(map(len, parts)) - len(known),
        asked_once=asked_once,
        mcnemar=test,
        clustered_p=difference.p_value,
        **difference._asdict() | ({"p_value": test.p_value} if test else {}),
    )
