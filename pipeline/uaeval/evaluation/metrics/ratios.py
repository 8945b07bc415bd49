"""The metrics of every evaluation: proportions of outcomes, and functions of several."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from uaeval.categories.names import category_names
from uaeval.categories.registry import category as category_of
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.evaluation.metrics.spec import CONTROLS, DIFFICULTIES, OVERALL, Family, MetricSpec
from uaeval.evaluation.statistics import statistic
from uaeval.evaluation.statistics.statistic import Statistic
from uaeval.records import Metric, Verdict

Rows: TypeAlias = Sequence[QueryOutcomeRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio(MetricSpec):
    """A proportion of the judged rows, with a Wilson interval on n / design effect."""

    counts: str
    """The verdict, or the property of a row, that makes the row count."""
    blocked_counts: bool = False
    """Whether a blocked response counts too."""
    of: Literal["queries", "controls", "all"]
    applies: tuple[str, ...] = ("unblocked",)
    """Properties that a row must have for the ratio to apply."""
    basis: frozenset[Metric] = frozenset({Metric.VERDICT})
    """The judgements that the outcome depends on."""
    groups: tuple[str, ...]
    """The keys by which rows are grouped, see `grouped`."""
    macro: bool = False
    """Whether the mean over categories is reported besides the mean over queries."""
    labelled: Metric | None = None
    """The metric whose human labels correct the ratio for the judge's mistakes."""
    counted: frozenset[str] = frozenset()
    """The human labels that count."""

    def includes(self, row: QueryOutcomeRow) -> bool:
        """Return whether the row is one of `of`."""
        return self.of == "all" or row.answerable is (self.of == "controls")

    def applies_to(self, row: QueryOutcomeRow) -> bool:
        """Return whether the row has all properties of `applies`."""
        return all(getattr(row, name) for name in self.applies)

    def outcome(self, row: QueryOutcomeRow) -> bool | None:
        """Return whether a row counts; `None` if that is unknown."""
        if self.blocked_counts and row.blocked:
            return True
        if self.counts in VERDICTS:
            return None if row.verdict is None else row.verdict == self.counts
        outcome: bool | None = getattr(row, self.counts)
        return outcome

    @property
    def by_category(self) -> bool:
        """Whether comparison and calibration include each category."""
        return self.headline and self.macro


@dataclass(frozen=True, slots=True, kw_only=True)
class Composite(MetricSpec):
    """A function of several ratios, with a bootstrap interval over documents."""

    parts: tuple[Ratio, ...]
    figure: Literal["joint", "precision", "f1", "balanced_accuracy"]
    of_abstained: bool = False
    """Whether it is a proportion of the abstentions, with a Wilson interval."""

    def weights(self, weight: float) -> Mapping[str, float]:
        """Return the weights of the first part, by group: `weight`, or those of the curve."""
        return _CURVE if self.family is Family.CURVE else {OVERALL: weight}

    def statistic(self, weight: float) -> Statistic:
        """Return the function of the parts; `weight` is that of the first part."""
        joint = statistic.joint([*self.weights(weight).values()])
        return joint if self.figure == "joint" else getattr(statistic, self.figure)


VERDICTS: Final = frozenset(verdict.value for verdict in Verdict)
_CURVE: Final = {f"w1={step / 20:.2f}": step / 20 for step in range(21)}
_GROUP_OF: Final[Mapping[str, Callable[[QueryOutcomeRow], str | None]]] = {
    "controls": lambda row: CONTROLS if row.answerable else None,
    "category": lambda row: row.category,
    "pair": lambda row: row.pair_category,
    "subtype": lambda row: row.subtype and f"{row.category}/{row.subtype}",
    "difficulty": lambda row: row.category and category_of(row.category).difficulty,
    "outside_answer": lambda row: row.category if row.has_outside_answer else None,
    "blocked_is_refused": lambda row: (
        row.category if row.category and category_of(row.category).blocked_is_refused else None
    ),
}


def grouped(rows: Rows, by: str) -> Iterable[tuple[str, Rows]]:
    """Group rows by `overall` or a key of `_GROUP_OF`, in the order of categories or by name."""
    if by == OVERALL:
        return [(OVERALL, rows)]
    groups: dict[str, list[QueryOutcomeRow]] = {}
    for row in rows:
        if name := _GROUP_OF[by](row):
            groups.setdefault(str(name), []).append(row)
    known = [name for name in (*category_names(), *DIFFICULTIES) if name in groups]
    return [(name, groups[name]) for name in (*known, *sorted(groups.keys() - set(known)))]
