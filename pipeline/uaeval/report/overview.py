"""The scores on one page: the headline, one row for each category, and what stands beside them."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from uaeval.categories.names import category_names
from uaeval.evaluation.metrics.registry import all_metrics, of_family
from uaeval.evaluation.metrics.spec import MACRO, OVERALL, Family, MetricSpec
from uaeval.evaluation.metrics.standard import ACCEPTABLE, BLOCKED, JOINT, STANDARD
from uaeval.report.tables import (
    NOTHING,
    UNRELIABLE,
    UNRELIABLE_NOTE,
    ReportTable,
    bounds,
    coverage,
    find,
    interval,
    percent,
)
from uaeval.report.undecided import undecided_note
from uaeval.types import Score

NO_JOINT_SCORE = "There is no joint score"
NO_JOINT_REASON = "it needs at least one judged control and one judged unanswerable query."
_FIGURE_COLUMNS = (
    "figure",
    "value %",
    "95 %\ninterval",
    "n",
    "errors",
    "coverage\n%",
    "worst to\nbest %",
)
_HEAD = ("category", "n", "errors", "coverage %")
_BRIEF_HEAD = ("category", "n", "err.", "cov.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryRow:
    """All figures of one category, or of all of them."""

    group: str
    scores: Mapping[MetricSpec, Score]

    @property
    def name(self) -> str:
        """Write the group."""
        return self.group.replace("_", " ")

    @property
    def n(self) -> int:
        """Count the queries; the twins if there are no queries."""
        return next(iter(self.scores.values())).n

    @property
    def errors(self) -> tuple[int, ...]:
        """Count the errors among the queries, and among the twins; the most of any figure."""
        return self._most(lambda score: score.errors)

    @property
    def undecided(self) -> int:
        """Count the queries and twins of which the judge could not tell a figure."""
        return sum(self._most(lambda score: score.undecided))

    @property
    def is_open(self) -> bool:
        """Whether a figure is not judged on all of its items."""
        return any(score.judged < score.n for score in self.scores.values())

    def _most(self, count: Callable[[Score], int]) -> tuple[int, ...]:
        counts = (
            [count(score) for metric, score in self.scores.items() if metric.family is family]
            for family in (Family.QUERIES, Family.CONTROLS)
        )
        return tuple(max(found) for found in counts if found)

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


def joint_line(scores: Sequence[Score]) -> str:
    """Write the joint score in one line, with its interval, coverage and errors."""
    score = find(scores, JOINT)
    if score is None or score.value is None:
        return f"{NO_JOINT_SCORE}: {NO_JOINT_REASON}"
    return (
        f"Joint score {percent(score.value)} % (95 % interval {interval(score)}; "
        f"coverage {coverage(score)} %, {error_count(score)})"
    )


def error_count(score: Score) -> str:
    """Write how many errors there were, and how many are undecided if any, in words."""
    told = "1 error" if score.errors == 1 else f"{score.errors or 'no'} errors"
    return f"{told}, {score.undecided} undecided" if score.undecided else told


def overview_sheets(scores: Sequence[Score], *, brief: bool = False) -> tuple[ReportTable, ...]:
    """Return the tables that show an evaluation at a glance.

    Args:
        scores: All scores of an evaluation.
        brief: Make the category tables fit 80 columns: whole percents under short headers.
    """
    rows = tuple(_rows(scores))
    sheets = [headline_sheet(scores)]
    if rows:
        sheets.append(category_sheet(rows, brief=brief))
    if any(row.is_open for row in rows):
        sheets.append(bounds_sheet(rows, brief=brief))
    return (*sheets, further_sheet(scores))


def headline_sheet(scores: Sequence[Score]) -> ReportTable:
    """Show the four figures to look at first."""
    return _figures_sheet("Headline", [metric for metric in STANDARD if metric.headline], scores)


def further_sheet(scores: Sequence[Score]) -> ReportTable:
    """Show refusal as a classifier, knowledge from outside, and content filters if any acted."""
    metrics = of_family(Family.REFUSAL, Family.JUDGED, Family.OUTSIDE)
    blocked = find(scores, BLOCKED)
    if blocked is None or not blocked.value:
        return _figures_sheet("Further figures", metrics, scores)
    note = (
        "A response that a content filter blocked is no refusal and is left out above; a blocked "
        "control counts as incorrect. With “+blocked” it counts as a refusal."
    )
    return _figures_sheet("Further figures", (*metrics, *of_family(Family.BLOCKED)), scores, note)


def _figures_sheet(
    title: str, metrics: Iterable[MetricSpec], scores: Sequence[Score], note: str = ""
) -> ReportTable:
    found = [
        (metric.shown_name, score)
        for metric in metrics
        if (score := find(scores, metric)) is not None
    ]
    is_open = any(score.judged < score.n for _, score in found)
    undecided = undecided_note({name: score.undecided for name, score in found})
    marked = any(score.low is not None and not score.reliable for _, score in found)
    columns = _FIGURE_COLUMNS if is_open else _FIGURE_COLUMNS[:-1]
    return ReportTable(
        title=title,
        columns=columns,
        rows=tuple((name, *_figure_cells(score))[: len(columns)] for name, score in found),
        note=" ".join(filter(None, (note, undecided, UNRELIABLE_NOTE if marked else ""))),
        numbers=frozenset(columns[1:]),
    )


def _figure_cells(score: Score) -> tuple[str, ...]:
    return (
        percent(score.value),
        interval(score),
        str(score.n),
        str(score.errors),
        coverage(score),
        bounds(score),
    )


def _rows(scores: Sequence[Score]) -> Iterator[CategoryRow]:
    for group in (*category_names(), OVERALL, MACRO):
        named = ((metric, find(scores, metric, group)) for metric in _in_columns())
        if found := {metric: score for metric, score in named if score is not None}:
            yield CategoryRow(group=group, scores=found)


def _in_columns() -> tuple[MetricSpec, ...]:
    """Return the metrics that have a column by category, those of the twins last."""
    columns = [metric for metric in all_metrics() if metric.column]
    return tuple(sorted(columns, key=lambda metric: metric.family is Family.CONTROLS))


def category_sheet(rows: Sequence[CategoryRow], *, brief: bool = False) -> ReportTable:
    """Show one row for each category, its twins beside it, and all categories below."""
    main = "acceptable\n(95 %)" if brief else "acceptable % (95 % interval)"
    columns = (*(_BRIEF_HEAD if brief else _HEAD), main, *_figure_columns(brief=brief)[1:])
    return ReportTable(
        title="By category",
        columns=columns,
        rows=tuple(_category_row(row, brief=brief) for row in rows),
        note=" ".join([*([_legend()] if brief else []), *_category_notes(rows)]),
        numbers=frozenset(columns[1:]),
        totals=_totals(rows),
    )


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


def _category_row(row: CategoryRow, *, brief: bool) -> tuple[str, ...]:
    values = [_value(row.scores.get(metric), brief=brief) for metric in _in_columns()]
    covered = min(row.coverages, default=None)
    return (
        row.name,
        str(row.n),
        _errors(row),
        _whole_below(covered) if brief else percent(covered),
        values[0] + _within(row.scores.get(ACCEPTABLE), brief=brief),
        *values[1:],
    )


def _category_notes(rows: Sequence[CategoryRow]) -> Iterator[str]:
    if any(any(row.errors) for row in rows):
        yield "Errors: among the queries + among their twins."
    if note := undecided_note({row.name: row.undecided for row in rows}):
        yield note
    if any(len(row.coverages) > 1 for row in rows):
        yield "Coverage differs between the figures of a row; it is the lowest."
    counts = [f"{row.name}: {', '.join(row.other_counts)}" for row in rows if row.other_counts]
    if counts:
        yield f"Computed over another n: {'; '.join(counts)}."
    main = [row.scores[ACCEPTABLE] for row in rows if ACCEPTABLE in row.scores]
    if any(score.low is not None and not score.reliable for score in main):
        yield UNRELIABLE_NOTE


def bounds_sheet(rows: Sequence[CategoryRow], *, brief: bool = False) -> ReportTable:
    """Show what the figures would be if all that is not judged counted against, and for."""
    left = [row for row in rows if row.is_open]
    columns = (*(_BRIEF_HEAD if brief else _HEAD)[:3], *_figure_columns(brief=brief))
    return ReportTable(
        title="What is not judged leaves open: worst–best",
        columns=columns,
        rows=tuple(_bounds_row(row, brief=brief) for row in left),
        note="In percent, had all that is not judged counted against the system, and for it.",
        numbers=frozenset(columns[1:]),
        totals=_totals(left),
    )


def _bounds_row(row: CategoryRow, *, brief: bool) -> tuple[str, ...]:
    left_open = (_bounds(row.scores.get(metric), brief=brief) for metric in _in_columns())
    return (row.name, str(row.n), _errors(row), *left_open)


def _figure_columns(*, brief: bool) -> tuple[str, ...]:
    heads = [metric.column for metric in _in_columns() if metric.column]
    return tuple(short if brief else f"{full} %" for full, short in heads)


def _totals(rows: Sequence[CategoryRow]) -> int:
    return sum(row.group in (OVERALL, MACRO) for row in rows)


def _errors(row: CategoryRow) -> str:
    return "+".join(str(count) for count in row.errors) if any(row.errors) else "0"


def _value(score: Score | None, *, brief: bool) -> str:
    value = score.value if score else None
    return whole(value) if brief else percent(value)


def _within(score: Score | None, *, brief: bool) -> str:
    if score is None or score.value is None or score.low is None or score.high is None:
        return ""
    mark = "" if score.reliable else UNRELIABLE
    if brief:
        return f" ({100 * score.low:.0f}–{100 * score.high:.0f}{mark})"
    return f" ({percent(score.low)}–{percent(score.high)}{mark})"


def _bounds(score: Score | None, *, brief: bool) -> str:
    if score is None or score.judged == score.n or score.worst is None or score.best is None:
        return NOTHING
    if brief:
        return f"{100 * score.worst:.0f}–{100 * score.best:.0f}"
    return f"{percent(score.worst)}–{percent(score.best)}"


def whole(value: float | None) -> str:
    """Write a ratio in whole percents; only none is 0, only all is 100, and undefined a dash."""
    if value is None:
        return NOTHING
    if 0 < value < 0.005:
        return "<1"
    return ">99" if 0.995 <= value < 1 else f"{100 * value:.0f}"


def _whole_below(value: float | None) -> str:
    """Round down, so that a coverage of 100 means that nothing is missing."""
    return NOTHING if value is None else str(math.floor(100 * value + 1e-9))
