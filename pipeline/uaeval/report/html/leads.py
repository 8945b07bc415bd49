"""From a figure to the queries behind it: what the page's filters are set to."""

from collections.abc import Mapping
from typing import Final

from uaeval.categories.names import category_names
from uaeval.evaluation.metrics.registry import metric_named
from uaeval.evaluation.metrics.spec import CONTROLS, Ratio
from uaeval.types import Score, Verdict

_KINDS: Final[Mapping[str, str]] = {"queries": "query", "controls": "twin"}
_VERDICTS: Final = frozenset(verdict.value for verdict in Verdict)


def of_group(group: str) -> dict[str, str]:
    """Return the filters for a category's queries, or for the controls."""
    if group == CONTROLS:
        return {"kind": "twin"}
    return {"kind": "query", **_category(group)}


def of_score(score: Score) -> dict[str, str]:
    """Return the filters for the queries that a score is about, its outcomes together."""
    return of_figure(score.metric, score.group) | {"sort": "outcome"}


def of_figure(name: str, group: str) -> dict[str, str]:
    """Return the filters for the queries that a metric is about in a group."""
    metric, where = metric_named(name), _category(group)
    if isinstance(metric, Ratio) and metric.of in _KINDS:
        where["kind"] = _KINDS[metric.of]
    if metric.short in _VERDICTS:
        where["verdict"] = metric.short
    return where


def _category(group: str) -> dict[str, str]:
    return {"category": group} if group in category_names() else {}
