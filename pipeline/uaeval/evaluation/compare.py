"""Two runs over the same queries, pair by pair: which differ, by how much, and on which queries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias

from pydantic import TypeAdapter

from uaeval.categories.names import category_names
from uaeval.errors import StorageError
from uaeval.evaluation import composites
from uaeval.evaluation.figures import MACRO, MEANS, OVERALL, Figure
from uaeval.evaluation.intervals import RELIABLE_CLUSTERS, Interval, Statistic
from uaeval.evaluation.metrics import ACCEPTABLE, CORRECTNESS, OVER_REFUSAL, RECALL, Ratio
from uaeval.evaluation.outcomes import QueryOutcomeRow
from uaeval.evaluation.paired import Pair, paired_difference
from uaeval.evaluation.recorded_evaluation import RecordedEvaluation
from uaeval.evaluation.significance import LEVEL, McNemar, holm, mcnemar

Members: TypeAlias = Sequence[tuple[QueryOutcomeRow, QueryOutcomeRow]]
"""What became of queries in the first run and in the second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One figure of two runs, over the queries that both were judged on."""

    first_run: str
    second_run: str
    metric: str
    group: str
    pairs: int
    left_out: int
    """Queries that one of the runs was not judged on (error or undecided); never differences."""
    first: float | None
    second: float | None
    interval: Interval | None
    """Of second minus first: 95 %, paired cluster bootstrap."""
    clusters: int
    mcnemar: McNemar | None
    """For a yes-or-no outcome; a composite figure has none."""
    p_value: float | None
    """Exact McNemar for a yes-or-no outcome, else of the paired cluster bootstrap.

    McNemar takes every query as independent; where many share a document it says too much.
    """
    clustered_p: float | None
    """Of the paired cluster bootstrap, for a yes-or-no outcome too; never corrected."""
    adjusted: float | None = None
    """The p-value after Holm's correction for all comparisons made together."""

    @property
    def difference(self) -> float | None:
        """Second minus first."""
        if self.first is None or self.second is None:
            return None
        return self.second - self.first

    @property
    def significant(self) -> bool:
        """Whether the difference is significant after correction."""
        return self.adjusted is not None and self.adjusted < LEVEL

    @property
    def reliable(self) -> bool:
        """Whether the interval rests on at least 20 documents that do not all agree."""
        has_width = self.interval is not None and self.interval.low < self.interval.high
        return has_width and self.clusters >= RELIABLE_CLUSTERS


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedOutcome:
    """A query on which one run did well and the other did not."""

    query_id: str
    question: str
    metric: str
    good: str
    """The run that did well."""
    bad: str


def compare(runs: Sequence[RecordedEvaluation]) -> tuple[Comparison, ...]:
    """Compare every two of `runs`, with Holm's correction over all that is compared.

    Raises:
        StorageError: the runs are not over the same queries, or differ in what they call good.
    """
    check_comparable(runs)
    weights = _weights(runs[0])
    found = [
        comparison
        for first, second in combinations(runs, 2)
        for comparison in (
            *compare_items(first.name, first.items, second.name, second.items, weights),
            *compare_means(first, second),
        )
    ]
    return corrected(found)


def corrected(comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Set the p-values adjusted by Holm's method over all of `comparisons` that have one."""
    adjusted = iter(holm([one.p_value for one in comparisons if one.p_value is not None]))
    return tuple(
        one if one.p_value is None else replace(one, adjusted=next(adjusted)) for one in comparisons
    )


def check_comparable(runs: Sequence[RecordedEvaluation]) -> None:
    """Raise `StorageError` unless `runs` are over one dataset, judged by one rule, named apart."""
    if len(runs) < 2:
        raise StorageError("compare wants two evaluations at least: DATASET/evaluations/<name> …")
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        raise StorageError(f"compare wants evaluations of different names, got {', '.join(names)}")
    first = runs[0]
    for run in runs[1:]:
        if run.manifest.dataset != first.manifest.dataset:
            raise StorageError(
                f"{run.folder} was run on other queries than {first.folder}; "
                "evaluate both on one dataset"
            )
        for setting in ("policy", "weights"):
            mine, other = run.manifest.settings.get(setting), first.manifest.settings.get(setting)
            if mine != other:
                raise StorageError(
                    f"{run.folder} was scored with {setting} {mine}, {first.folder} with {other}; "
                    "evaluate both with the same"
                )


def _weights(run: RecordedEvaluation) -> tuple[float, float]:
    return TypeAdapter(tuple[float, float]).validate_python(run.manifest.settings["weights"])


def compare_items(
    first_run: str,
    first: Sequence[QueryOutcomeRow],
    second_run: str,
    second: Sequence[QueryOutcomeRow],
    weights: tuple[float, float],
) -> Iterator[Comparison]:
    """Compare two runs, given what became of each query; p-values are not corrected yet."""
    both = _joined(first, second)
    controls = [pair for pair in both if pair[0].answerable]
    unanswerable = [pair for pair in both if not pair[0].answerable]
    by_category = [
        (category, members)
        for category in category_names()
        if (members := [pair for pair in unanswerable if pair[0].category == category])
    ]
    right = (CORRECTNESS, controls), (ACCEPTABLE, unanswerable)
    refusing = (RECALL, unanswerable), (OVER_REFUSAL, controls)
    accepted = [(ACCEPTABLE, members) for _, members in by_category]
    name = _Naming(first_run, second_run)
    yield name.composite(Figure.JOINT, OVERALL, right, composites.joint([weights[0]]))
    yield name.ratio(CORRECTNESS, OVERALL, controls)
    yield name.ratio(ACCEPTABLE, OVERALL, unanswerable)
    yield name.composite(Figure.ACCEPTABLE, MACRO, accepted, composites.macro)
    for category, members in by_category:
        yield name.ratio(ACCEPTABLE, category, members)
    yield name.ratio(RECALL, OVERALL, unanswerable)
    yield name.ratio(OVER_REFUSAL, OVERALL, controls)
    yield name.composite(Figure.F1, OVERALL, refusing, composites.f1)
    yield name.composite(Figure.BALANCED_ACCURACY, OVERALL, refusing, composites.balanced_accuracy)


def compare_means(first: RecordedEvaluation, second: RecordedEvaluation) -> Iterator[Comparison]:
    """Compare the means of the metrics on demand that both runs have."""
    name = _Naming(first.name, second.name)
    for figure in MEANS:
        pairs = [
            Pair(item.document, mine, other)
            for item in first.items
            for mine in (first.means.get(item.query_id, {}).get(figure),)
            for other in (second.means.get(item.query_id, {}).get(figure),)
            if mine is not None or other is not None
        ]
        if any(pair.known for pair in pairs):
            yield name.figure(figure, OVERALL, [pairs], composites.rates)


def flips(runs: Sequence[RecordedEvaluation]) -> tuple[ChangedOutcome, ...]:
    """Return the queries on which every two runs differ: acceptable, or correct, for one only."""
    found = [flip for pair in combinations(runs, 2) for flip in _flips(*pair)]
    if not found:
        return ()
    flipped = {query_id for query_id, *_ in found}
    asked = {query.id: query.question for query in runs[0].queries() if query.id in flipped}
    return tuple(
        ChangedOutcome(
            query_id=query_id, question=asked[query_id], metric=metric, good=good, bad=bad
        )
        for query_id, metric, good, bad in found
    )


def _flips(
    first: RecordedEvaluation, second: RecordedEvaluation
) -> Iterator[tuple[str, str, str, str]]:
    """Yield query, figure, the run that did well and the one that did not."""
    for a, b in _joined(first.items, second.items):
        ratio = CORRECTNESS if a.answerable else ACCEPTABLE
        outcomes = _outcome(ratio, a), _outcome(ratio, b)
        if None in outcomes or outcomes[0] == outcomes[1]:
            continue
        good, bad = (first.name, second.name) if outcomes[0] else (second.name, first.name)
        yield a.query_id, ratio.figure.value, good, bad


def _joined(
    first: Sequence[QueryOutcomeRow], second: Sequence[QueryOutcomeRow]
) -> list[tuple[QueryOutcomeRow, QueryOutcomeRow]]:
    other = {item.query_id: item for item in second}
    return [(item, other[item.query_id]) for item in first]


def _outcome(ratio: Ratio, item: QueryOutcomeRow) -> bool | None:
    return ratio.outcome(item) if ratio.applies(item) else None


def _pairs(ratio: Ratio, members: Members) -> list[Pair]:
    return [Pair(a.document, _outcome(ratio, a), _outcome(ratio, b)) for a, b in members]


@dataclass(frozen=True, slots=True)
class _Naming:
    """Makes comparisons of two runs."""

    first_run: str
    second_run: str

    def ratio(self, ratio: Ratio, group: str, members: Members) -> Comparison:
        """Compare a proportion: the difference by bootstrap, its p-value by exact McNemar."""
        pairs = _pairs(ratio, members)
        test = mcnemar([(bool(one.first), bool(one.second)) for one in pairs if one.known])
        found = self.figure(ratio.figure, group, [pairs], composites.rates)
        return replace(found, mcnemar=test, p_value=test.p_value)

    def composite(
        self,
        figure: Figure,
        group: str,
        parts: Sequence[tuple[Ratio, Members]],
        statistic: Statistic,
    ) -> Comparison:
        """Compare a figure made of several proportions."""
        pairs = [_pairs(ratio, members) for ratio, members in parts]
        return self.figure(figure, group, pairs, statistic)

    def figure(
        self, figure: Figure, group: str, parts: Sequence[Sequence[Pair]], statistic: Statistic
    ) -> Comparison:
        """Compare a figure made of `parts`."""
        found = paired_difference(parts, statistic)
        known = sum(pair.known for part in parts for pair in part)
        return Comparison(
            first_run=self.first_run,
            second_run=self.second_run,
            metric=figure.value,
            group=group,
            pairs=known,
            left_out=sum(map(len, parts)) - known,
            first=found.first,
            second=found.second,
            interval=found.interval,
            clusters=found.clusters,
            mcnemar=None,
            p_value=found.p_value,
            clustered_p=found.p_value,
        )
