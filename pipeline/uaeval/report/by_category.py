"""The figures of each category in one row, in full or short enough for a terminal."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from uaeval.categories.names import category_names
from uaeval.evaluation.metrics.registry import all_metrics
from uaeval.evaluation.metrics.spec import MACRO, OVERALL, Family, MetricSpec
from uaeval.evaluation.metrics.standard import ACCEPTABLE
from uaeval.records import Score
from uaeval.report.tables import (
    NOTHING,
    UNRELIABLE,
    UNRELIABLE_NOTE,
    ReportTable,
    find,
    marked,
    percent,
    spaced,
    table_of,
    undecided_note,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryRow:
    """All figures of one category, or of all of them."""

    group: str
    scores: Mapping[MetricSpec, Score]

    @property
    def name(self) -> str:
        """Write the group."""
        return spaced(self.group)

    @property
    def n(self) -> int:
        """Count the queries; the twins if there are no queries."""
        return next(iter(self.scores.values())).n

    @property
    def is_total(self) -> bool:
        """Whether the row sums up the categories."""
        return self.group in (OVERALL, MACRO)

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
    def coverages(self) -> frozenset[float]:
        """Return the coverage of each figure that has anything to cover."""
        return frozenset(score.judged / score.n for score in self.scores.values() if score.n)

    @property
    def other_counts(self) -> tuple[str, ...]:
        """Name the figures that are computed over another n than the row's."""
        return tuple(
            f"{metric.column[0]} {score.n}"
            for metric, score in self.scores.items()
            if metric.column and score.n not in (0, self.n)
        )


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


def _columns(*, brief: bool) -> dict[str, Callable[[CategoryRow], str]]:
    """Return the first columns of the tables by category."""
    return {
        "category": lambda row: row.name,
        "n": lambda row: str(row.n),
        "err." if brief else "errors": lambda row: row.errors,
    }


def _heads(*, brief: bool) -> Iterator[tuple[MetricSpec, str]]:
    for metric in _in_columns():
        if metric.column:
            yield metric, metric.column[1] if brief else f"{metric.column[0]} %"


def category_table(rows: Sequence[CategoryRow], *, brief: bool) -> ReportTable:
    """Show one row for each category, its twins beside it, and all categories below."""
    columns = _columns(brief=brief)
    columns["cov." if brief else "coverage %"] = lambda row: _coverage(row, brief=brief)
    for metric, head in _heads(brief=brief):
        if metric is ACCEPTABLE:
            head = "acceptable\n(95 %)" if brief else "acceptable % (95 % interval)"
        columns[head] = partial(_value, metric, brief=brief)
    note = " ".join([*([_legend()] if brief else []), *_category_notes(rows)])
    totals = sum(row.is_total for row in rows)
    return table_of("By category", rows, columns, note=note, totals=totals)


def _legend() -> str:
    """Explain the short heads of the columns."""
    heads = [metric.column for metric in _in_columns() if metric.column]
    short = {
        brief.rpartition("\n")[2]: full.removeprefix("twins ")
        for full, brief in heads
        if full != brief
    }
    return (
        "In whole percents, with the 95 % interval of acceptable. cov.: coverage, judged of n. "
        f"{', '.join(short)}: {', '.join(short.values())}."
    )


def _category_notes(rows: Sequence[CategoryRow]) -> Iterator[str]:
    if any(row.errors != "0" for row in rows):
        yield "Errors: among the queries + among their twins."
    undecided = {row.name: sum(row.most(lambda score: score.undecided)) for row in rows}
    if note := undecided_note(undecided):
        yield note
    if any(len(row.coverages) > 1 for row in rows):
        yield "Coverage differs between the figures of a row; it is the lowest."
    counts = [f"{row.name}: {', '.join(row.other_counts)}" for row in rows if row.other_counts]
    if counts:
        yield f"Computed over another n: {'; '.join(counts)}."
    if marked(row.scores[ACCEPTABLE] for row in rows if ACCEPTABLE in row.scores):
        yield UNRELIABLE_NOTE


def bounds_table(rows: Sequence[CategoryRow], *, brief: bool) -> ReportTable:
    """Show what the figures would be if all that is not judged counted against, and for."""
    left = [row for row in rows if row.is_open]
    columns = _columns(brief=brief)
    for metric, head in _heads(brief=brief):
        columns[head] = partial(_bounds, metric, brief=brief)
    return table_of(
        "What is not judged leaves open: worst–best",
        left,
        columns,
        note="In percent, had all that is not judged counted against the system, and for it.",
        totals=sum(row.is_total for row in left),
    )


def _coverage(row: CategoryRow, *, brief: bool) -> str:
    """Write the lowest; a whole percent is rounded down, so that 100 means all is judged."""
    value = min(row.coverages, default=None)
    if value is None or not brief:
        return percent(value)
    return str(math.floor(100 * value + 1e-9))


def _value(metric: MetricSpec, row: CategoryRow, *, brief: bool) -> str:
    score = row.scores.get(metric)
    value = score.value if score else None
    text = whole(value) if brief else percent(value)
    if metric is not ACCEPTABLE or score is None or score.low is None or score.high is None:
        return text
    mark = "" if score.reliable else UNRELIABLE
    return f"{text} ({_range(score.low, score.high, brief=brief)}{mark})"


def _bounds(metric: MetricSpec, row: CategoryRow, *, brief: bool) -> str:
    score = row.scores.get(metric)
    if score is None or score.judged == score.n or score.worst is None or score.best is None:
        return NOTHING
    return _range(score.worst, score.best, brief=brief)


def _range(low: float, high: float, *, brief: bool) -> str:
    return "–".join(f"{100 * end:.0f}" if brief else percent(end) for end in (low, high))


def whole(value: float | None) -> str:
    """Write a ratio in whole percents; only none is 0, only all is 100, and undefined a dash."""
    if value is None:
        return NOTHING
    if 0 < value < 0.005:
        return "<1"
    return ">99" if 0.995 <= value < 1 else f"{100 * value:.0f}"
