"""The figures of each category in one row, in full or short enough for a terminal."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from uaeval.categories.names import category_names
from uaeval.evaluation.metrics.registry import all_metrics
from uaeval.evaluation.metrics.spec import MACRO, OVERALL, Family, MetricSpec
from uaeval.evaluation.metrics.standard import ACCEPTABLE
from uaeval.records import Score
from uaeval.report.tables import (
    NOTHING,
    UNRELIABLE,
    ReportTable,
    declared_table,
    find,
    percent,
    whole,
    with_interval,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryRow:
    """All figures of one category, or of all of them."""

    group: str
    scores: Mapping[MetricSpec, Score]

    @property
    def n(self) -> int:
        """Count the queries; the twins if there are no queries."""
        return next(iter(self.scores.values())).n

    @property
    def is_open(self) -> bool:
        """Whether a figure is not judged on all of its items."""
        return any(score.judged < score.n for score in self.scores.values())

    def most(self, count: Callable[[Score], int]) -> tuple[int, ...]:
        """Return the highest count of any figure among the queries, and among the twins."""
        counts = (
            [count(score) for metric, score in self.scores.items() if metric.family is family]
            for family in (Family.QUERIES, Family.CONTROLS)
        )
        return tuple(max(members) for members in counts if members)

    @property
    def errors(self) -> str:
        """Write the errors among the queries + among the twins."""
        errors = self.most(lambda score: score.errors)
        return "+".join(map(str, errors)) if any(errors) else "0"

    @property
    def undecided(self) -> int:
        """Count what the judge could not tell."""
        return sum(self.most(lambda score: score.undecided))

    @property
    def coverages(self) -> frozenset[float]:
        """Return the coverage of each figure that has anything to cover."""
        return frozenset(score.judged / score.n for score in self.scores.values() if score.n)

    @property
    def other_counts(self) -> str:
        """Name the figures that are computed over another n than the row's; empty if none is."""
        counts = (
            f"{metric.column[0]} {score.n}"
            for metric, score in self.scores.items()
            if metric.column and score.n not in (0, self.n)
        )
        return ", ".join(counts)


def category_rows(scores: Sequence[Score]) -> Iterator[CategoryRow]:
    """Yield a row for each category that was scored, and for all together."""
    for group in (*category_names(), OVERALL, MACRO):
        named = ((metric, find(scores, metric, group)) for metric in _in_columns())
        if known := {metric: score for metric, score in named if score is not None}:
            yield CategoryRow(group=group, scores=known)


def _in_columns() -> tuple[MetricSpec, ...]:
    """Return the metrics that have a column by category, those of the twins last."""
    columns = [metric for metric in all_metrics() if metric.column]
    return tuple(sorted(columns, key=lambda metric: metric.family is Family.CONTROLS))


def category_table(rows: Sequence[CategoryRow], *, brief: bool) -> ReportTable:
    """Show one row for each category, its twins beside it, and all categories below."""
    legend = {
        short.rpartition("\n")[2]: head.removeprefix("twins ")
        for head, short in (metric.column for metric in _in_columns() if metric.column)
        if head != short
    }
    return _table(
        "by_category",
        rows,
        brief,
        head=_head,
        coverage=_coverage,
        value=_value,
        legend=legend,
        undecided={row.group: row.undecided for row in rows},
        macro=any(row.group == MACRO for row in rows),
        accepted=[row.scores[ACCEPTABLE] for row in rows if ACCEPTABLE in row.scores],
    )


def bounds_table(rows: Sequence[CategoryRow], *, brief: bool) -> ReportTable:
    """Show what the figures would be if all that is not judged counted against, and for."""
    return _table("open_bounds", [row for row in rows if row.is_open], brief, bounds=_bounds)


def _table(name: str, rows: Sequence[CategoryRow], brief: bool, **values: object) -> ReportTable:
    totals = sum(row.group in (OVERALL, MACRO) for row in rows)
    values |= {"brief": brief, "metrics": _in_columns()}
    return declared_table(name, rows, totals=totals, **values)


def _head(metric: MetricSpec, brief: bool) -> str:
    full, short = metric.column or ("", "")
    if metric is ACCEPTABLE:
        return f"{short}\n(95 %)" if brief else f"{full} % (95 % interval)"
    return short if brief else f"{full} %"


def _coverage(row: CategoryRow, brief: bool) -> str:
    """Write the lowest; a whole percent is rounded down, so that 100 means all is judged."""
    value = min(row.coverages, default=None)
    if value is None or not brief:
        return percent(value)
    return str(math.floor(100 * value + 1e-9))


def _value(row: CategoryRow, metric: MetricSpec, brief: bool) -> str:
    score = row.scores.get(metric)
    value = score.value if score else None
    if not brief:
        return with_interval(score) if metric is ACCEPTABLE else percent(value)
    if metric is not ACCEPTABLE or score is None or score.interval is None:
        return whole(value)
    mark = "" if score.reliable else UNRELIABLE
    return f"{whole(value)} ({_range(*score.interval, brief)}{mark})"


def _bounds(row: CategoryRow, metric: MetricSpec, brief: bool) -> str:
    score = row.scores.get(metric)
    if score is None or score.judged == score.n or score.worst is None or score.best is None:
        return NOTHING
    return _range(score.worst, score.best, brief)


def _range(low: float, high: float, brief: bool) -> str:
    return "–".join(f"{100 * end:.0f}" if brief else percent(end) for end in (low, high))
