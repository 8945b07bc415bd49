"""Two runs over the same queries, pair by pair: which differ, by how much, and on which queries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from pydantic import TypeAdapter

from uaeval.errors import StorageError
from uaeval.evaluation import composites
from uaeval.evaluation.figures import MACRO, MEANS, OVERALL, Figure
from uaeval.evaluation.intervals import RELIABLE_CLUSTERS, Interval, Statistic
from uaeval.evaluation.metrics import ACCEPTABLE, CORRECTNESS, OVER_REFUSAL, RECALL, Ratio
from uaeval.evaluation.outcomes import Item
from uaeval.evaluation.paired import Pair, paired_difference
from uaeval.evaluation.recorded import Recorded
from uaeval.evaluation.significance import LEVEL, McNemar, holm, mcnemar
from uaeval.types import Category, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One figure of two runs, over the queries that both were judged on."""

    first_run: str
    second_run: str
    metric: str
    group: str
    pairs: int
    left_out: int
    """Queries that one of the runs at least was not judged on; errors, never differences."""
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
class Flip:
    """A query on which one run did well and the other did not."""

    query: Query
    metric: str
    good: str
    """The run that did well."""
    bad: str


def compare(runs: Sequence[Recorded]) -> tuple[Comparison, ...]:
    """Compare every two of `runs`, with Holm's correction over all that is compared.

    Raises:
        StorageError: the runs are not over the same queries, or differ in what they call good.
    """
    check_comparable(runs)
    read = [(run, run.items()) for run in runs]
    weights = _weights(runs[0])
    found = [
        comparison
        for (first, left), (second, right) in combinations(read, 2)
        for comparison in (
            *compare_items(first.name, left, second.name, right, weights),
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


def check_comparable(runs: Sequence[Recorded]) -> None:
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


def _weights(run: Recorded) -> tuple[float, float]:
    return TypeAdapter(tuple[float, float]).validate_python(run.manifest.settings["weights"])


def compare_items(
    first_run: str,
    first: Sequence[Item],
    second_run: str,
    second: Sequence[Item],
    weights: tuple[float, float],
) -> Iterator[Comparison]:
    """Compare two runs, given what became of each query; p-values are not corrected yet."""
    both = _joined(first, second)
    controls = [(a, b) for a, b in both if a.query.answerable]
    unanswerable = [(a, b) for a, b in both if not a.query.answerable]
    by_category = [
        [(a, b) for a, b in unanswerable if a.query.category is category] for category in Category
    ]
    correct, acceptable = _pairs(CORRECTNESS, controls), _pairs(ACCEPTABLE, unanswerable)
    accepted = [_pairs(ACCEPTABLE, members) for members in by_category if members]
    refusing = [_pairs(RECALL, unanswerable), _pairs(OVER_REFUSAL, controls)]
    name = _Naming(first_run, second_run)
    joint = composites.joint([weights[0]])
    yield name.composite(Figure.JOINT, OVERALL, [correct, acceptable], joint)
    yield name.ratio(Figure.CORRECTNESS, OVERALL, correct)
    yield name.ratio(Figure.ACCEPTABLE, OVERALL, acceptable)
    yield name.composite(Figure.ACCEPTABLE, MACRO, accepted, composites.macro)
    for members in by_category:
        if members:
            group = str(members[0][0].query.category)
            yield name.ratio(Figure.ACCEPTABLE, group, _pairs(ACCEPTABLE, members))
    yield name.ratio(Figure.RECALL, OVERALL, refusing[0])
    yield name.ratio(Figure.OVER_REFUSAL, OVERALL, refusing[1])
    yield name.composite(Figure.F1, OVERALL, refusing, composites.f1)
    yield name.composite(Figure.BALANCED_ACCURACY, OVERALL, refusing, composites.balanced_accuracy)


def compare_means(first: Recorded, second: Recorded) -> Iterator[Comparison]:
    """Compare the means of the metrics on demand that both runs have."""
    name = _Naming(first.name, second.name)
    for figure in MEANS:
        pairs = [
            Pair(query.provenance.document_id, mine, other)
            for query in first.queries
            for mine in (first.means.get(query.id, {}).get(figure),)
            for other in (second.means.get(query.id, {}).get(figure),)
            if mine is not None or other is not None
        ]
        if any(pair.known for pair in pairs):
            yield name.composite(figure, OVERALL, [pairs], composites.rates)


def flips(runs: Sequence[Recorded]) -> tuple[Flip, ...]:
    """Return the queries on which every two runs differ: acceptable, or correct, for one only."""
    read = [(run.name, run.items()) for run in runs]
    return tuple(
        flip
        for (first, left), (second, right) in combinations(read, 2)
        for flip in _flips(first, left, second, right)
    )


def _flips(
    first_run: str, first: Sequence[Item], second_run: str, second: Sequence[Item]
) -> Iterator[Flip]:
    for a, b in _joined(first, second):
        ratio = CORRECTNESS if a.query.answerable else ACCEPTABLE
        outcomes = _outcome(ratio, a), _outcome(ratio, b)
        if None in outcomes or outcomes[0] == outcomes[1]:
            continue
        good, bad = (first_run, second_run) if outcomes[0] else (second_run, first_run)
        yield Flip(query=a.query, metric=ratio.figure.value, good=good, bad=bad)


def _joined(first: Sequence[Item], second: Sequence[Item]) -> list[tuple[Item, Item]]:
    other = {item.query.id: item for item in second}
    return [(item, other[item.query.id]) for item in first]


def _outcome(ratio: Ratio, item: Item) -> bool | None:
    return ratio.outcome(item) if ratio.applies(item) else None


def _pairs(ratio: Ratio, members: Sequence[tuple[Item, Item]]) -> list[Pair]:
    return [Pair(a.document, _outcome(ratio, a), _outcome(ratio, b)) for a, b in members]


@dataclass(frozen=True, slots=True)
class _Naming:
    """Makes comparisons of two runs."""

    first_run: str
    second_run: str

    def ratio(self, figure: Figure, group: str, pairs: Sequence[Pair]) -> Comparison:
        """Compare a proportion: the difference by bootstrap, its p-value by exact McNemar."""
        test = mcnemar([(bool(one.first), bool(one.second)) for one in pairs if one.known])
        found = self.composite(figure, group, [pairs], composites.rates)
        return replace(found, mcnemar=test, p_value=test.p_value)

    def composite(
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
