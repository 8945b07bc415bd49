"""What a metric is: one declaration that scoring, gate, reports and comparison derive from."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

from uaeval.categories.names import category_names
from uaeval.categories.registry import category as category_of
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.evaluation.statistics.statistic import Statistic
from uaeval.types import Metric

OVERALL = "overall"
MACRO = "macro"
CONTROLS = "controls"
DIFFICULTIES = ("easy", "medium", "hard")
DEFAULT_WEIGHTS = (0.7, 0.3)
"""Of correctness and acceptable ratio; solved from the tables of UAEval4RAG."""

Rows: TypeAlias = Sequence[QueryOutcomeRow]
Grouping: TypeAlias = Callable[[Rows], Iterable[tuple[str, Rows]]]
"""Divides rows into named groups; empty groups are left out."""


class Family(Enum):
    """What a metric is about. Scores are written, and report sections ordered, by family."""

    JOINT = "joint"
    CURVE = "curve"
    CONTROLS = "controls"
    QUERIES = "queries"
    REFUSAL = "refusal"
    """Refusal as a classifier: to abstain on an unanswerable query is the positive."""
    BLOCKED = "blocked"
    OUTSIDE = "outside"
    JUDGED = "judged"
    """Measured on demand, see `uaeval.evaluation.metrics.judged`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSpec:
    """A chart of the HTML report: one row for each category, one series for each metric."""

    title: str
    axis: str
    note: str
    section: Literal["categories", "refusal"] = "categories"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSpec:
    """One metric, from 0 to 1: a mean of scores with a bootstrap interval over documents.

    Errors count as 0 and as 1 in its bounds; `lower_is_better` says which of them is the worst.
    """

    name: str
    """The key in `scores.json`; every gate accepts it."""
    definition: str
    family: Family = Family.JUDGED
    title: str = ""
    """The name in reports. [the name with spaces]"""
    short: str = ""
    """The name in charts and in the table of a sweep."""
    gate: str = ""
    """A short name for `--fail-under` and `--fail-over`."""
    group: str = OVERALL
    """The group that is meant, and shown, where none is named."""
    lower_is_better: bool = False
    headline: bool = False
    """Whether it is among the figures to look at first."""
    compared: bool = False
    """Whether two runs are compared by it; metrics on demand always are."""
    column: tuple[str, str] | None = None
    """The heads of its column in the table by category: in reports, and on 80 columns."""
    chart: ChartSpec | None = None

    @property
    def shown_name(self) -> str:
        """The name in reports."""
        return self.title or self.name.replace("_", " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio(MetricSpec):
    """A proportion of the judged rows, with a Wilson interval on n / design effect."""

    outcome: Callable[[QueryOutcomeRow], bool | None]
    """Whether a row counts; `None` if that is not known."""
    of: Literal["queries", "controls", "all"]
    applies: Callable[[QueryOutcomeRow], bool] = lambda row: not row.blocked
    basis: frozenset[Metric] = frozenset({Metric.VERDICT})
    """The judgements that the outcome rests on."""
    groups: tuple[Grouping, ...]
    macro: bool = False
    """Whether the mean over categories stands beside the mean over queries."""
    labelled: Metric | None = None
    """The judgement that people label; their labels correct the ratio for the judge's mistakes."""
    counted: frozenset[str] = frozenset()
    """The labels that count."""

    def includes(self, row: QueryOutcomeRow) -> bool:
        """Return whether the row is of the kind that the ratio is about."""
        return self.of == "all" or row.answerable is (self.of == "controls")

    @property
    def by_category(self) -> bool:
        """Whether it is compared, and corrected by labels, in each category too."""
        return self.headline and self.macro


@dataclass(frozen=True, slots=True, kw_only=True)
class Composite(MetricSpec):
    """A figure of several ratios, with a bootstrap interval over documents."""

    parts: tuple[Ratio, ...]
    statistic: Callable[[float], Statistic]
    """Takes the weight of the first part."""
    group_names: tuple[str, ...] = (OVERALL,)
    """One for each figure of the statistic."""
    of_abstained: bool = False
    """Whether it is a proportion of what was abstained on, with a Wilson interval."""


def overall(rows: Rows) -> Iterable[tuple[str, Rows]]:
    """Put all rows into one group."""
    return [(OVERALL, rows)]


def controls(rows: Rows) -> Iterable[tuple[str, Rows]]:
    """Group the answerable controls."""
    return grouped(rows, lambda row: CONTROLS if row.answerable else None)


def by_category(rows: Rows) -> Iterable[tuple[str, Rows]]:
    """Group unanswerable queries by category."""
    return grouped(rows, lambda row: row.category, category_names())


def by_pair(rows: Rows) -> Iterable[tuple[str, Rows]]:
    """Group controls by the category of their pair."""
    return grouped(rows, lambda row: row.pair_category, category_names())


def by_subtype(rows: Rows) -> Iterable[tuple[str, Rows]]:
    """Group by `<category>/<subtype>`, so that no two categories share a group."""
    return grouped(rows, lambda row: row.subtype and f"{row.category}/{row.subtype}")


def by_difficulty(rows: Rows) -> Iterable[tuple[str, Rows]]:
    """Group by the difficulty of the category."""
    return grouped(
        rows, lambda row: row.category and category_of(row.category).difficulty, DIFFICULTIES
    )


def grouped(
    rows: Rows, name_of: Callable[[QueryOutcomeRow], str | None], order: Sequence[str] = ()
) -> Iterable[tuple[str, Rows]]:
    """Group rows by name, in the given order or by name; a row without a name is left out."""
    groups: dict[str, list[QueryOutcomeRow]] = {}
    for row in rows:
        if name := name_of(row):
            groups.setdefault(name, []).append(row)
    return [(str(name), groups[name]) for name in order or sorted(groups) if name in groups]
