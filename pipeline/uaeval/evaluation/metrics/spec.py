"""The declarations of metrics, for scoring, gates, reports and comparisons."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from operator import or_
from typing import Any, Literal, TypeVar

from pydantic import ConfigDict, TypeAdapter

from uaeval.categories.registry import categories
from uaeval.resources import shipped_table

OVERALL = "overall"
MACRO = "macro"
CONTROLS = "controls"
DIFFICULTIES = ("easy", "medium", "hard")
GROUPS = (OVERALL, MACRO, CONTROLS, *DIFFICULTIES)
"""The groups besides categories and subtypes."""


class Family(Enum):
    """The subject of a metric, which orders scores and report sections."""

    JOINT = "joint"
    CURVE = "curve"
    CONTROLS = "controls"
    QUERIES = "queries"
    REFUSAL = "refusal"
    """Refusal as a classifier, whose true positive is an abstention on an unanswerable query."""
    BLOCKED = "blocked"
    OUTSIDE = "outside"
    JUDGED = "judged"
    """Measured on demand, see `uaeval.evaluation.metrics.judged`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSpec:
    """A chart of the HTML report: the metric and its interval for each category."""

    title: str
    section: Literal["categories", "refusal"] = "categories"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSpec:
    """One metric from 0 to 1, the mean of scores, with a bootstrap interval over documents.

    Errors count as 0 and as 1 in the bounds; `lower_is_better` says which of these is the worst.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    name: str
    """The key in `scores.json`; gates accept it, too."""
    definition: str
    family: Family = Family.JUDGED
    title: str = ""
    """The name in reports; by default `name` with spaces."""
    short: str = ""
    """The name in charts and in the table of a sweep."""
    gate: str = ""
    """A short name for `--fail-under` and `--fail-over`."""
    group: str = OVERALL
    """The group that is used if none is named."""
    lower_is_better: bool = False
    headline: bool = False
    """Whether it is one of the most important figures."""
    compared: bool = False
    """Whether comparisons include it; they always include metrics on demand."""
    value: str = ""
    """The path of its value in the record of a metric on demand, such as `scores.recall`; by
    default `name`."""
    column: tuple[str, str] | None = None
    """Heads of its column in the table by category: in reports, and in a terminal of 80 columns."""
    chart: ChartSpec | None = None

    @property
    def shown_name(self) -> str:
        """The name in reports."""
        return self.title or self.name.replace("_", " ")


M = TypeVar("M", bound=MetricSpec)


def value_at(record: object, path: str) -> Any:
    """Return the value at a path such as `scores.recall`; `None` past a `None` or a missing key."""
    value: Any = record
    for name in path.split("."):
        if value is not None:
            value = value.get(name) if isinstance(value, Mapping) else getattr(value, name)
    return value


def declared(name: str, *kinds: type[M]) -> tuple[M, ...]:
    """Return the metrics of these kinds in the YAML file `name` of this folder.

    `category` is a flag of categories; the metric's group is the first category with the flag.
    """
    adapter: TypeAdapter[M] = TypeAdapter(reduce(or_, kinds))

    def metric(category: str = "", **fields: object) -> M:
        if category:
            fields["group"] = next(spec.name for spec in categories() if getattr(spec, category))
        return adapter.validate_python(fields)

    return tuple(metric(**fields) for fields in shipped_table(f"evaluation/metrics/{name}.yaml"))
