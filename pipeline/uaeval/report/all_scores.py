"""Tables of all scores of an evaluation by section, and of the causes of bad responses."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from uaeval.categories.names import category_names
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.attribution import METRIC, Fault
from uaeval.evaluation.metrics.registry import judged_metrics, metric_named
from uaeval.evaluation.metrics.spec import CONTROLS, MACRO, OVERALL, Family
from uaeval.records import Score
from uaeval.report.tables import ReportTable, declared_table

_ORDER = {name: place for place, name in enumerate(category_names())}


class _Section(StrEnum):
    """The sections, in their order."""

    OVERALL = "Overall"
    BY_CATEGORY = "Unanswerable queries by category"
    TWINS = "Twins by category"
    BLOCKED = "Stopped by a content filter"
    DIFFICULTY = "By difficulty"
    SUBTYPE = "By subtype"
    CURVE = "Joint score by weight of correctness"
    FURTHER = "Further metrics"


_OWN_SECTION: Mapping[Family, _Section] = MappingProxyType(
    {
        Family.BLOCKED: _Section.BLOCKED,
        Family.CURVE: _Section.CURVE,
        Family.JUDGED: _Section.FURTHER,
    }
)
"""Families whose scores form a section of their own, for all groups."""


def score_tables(scores: Iterable[Score]) -> tuple[ReportTable, ...]:
    """Return one table per section; sections without scores are left out."""
    by_section: dict[_Section, list[Score]] = {section: [] for section in _Section}
    for score in scores:
        by_section[_section(score)].append(score)
    for section in (_Section.BY_CATEGORY, _Section.TWINS):
        by_section[section].sort(key=lambda score: _ORDER[score.group])
    return tuple(_score_table(title, members) for title, members in by_section.items() if members)


def _section(score: Score) -> _Section:
    family = metric_named(score.metric).family
    if family in _OWN_SECTION:
        return _OWN_SECTION[family]
    if score.group in (OVERALL, MACRO):
        return _Section.OVERALL
    if score.group in _ORDER:
        return _Section.TWINS if family is Family.CONTROLS else _Section.BY_CATEGORY
    return _Section.SUBTYPE if "/" in score.group else _Section.DIFFICULTY


def _score_table(title: str, scores: Sequence[Score]) -> ReportTable:
    names = {score.metric for score in scores}
    of_metrics = [
        metric.note
        for metric in judged_metrics().values()
        if names & {spec.name for spec in metric.metrics}
    ]
    return declared_table("scores", scores, title=title, notes=of_metrics)


def fault_counts(evaluation: Evaluation) -> Counter[tuple[str, Fault]]:
    """Return the number of bad responses by category (or controls) and fault."""
    group_of = {query.id: query.category or CONTROLS for query in evaluation.queries}
    return Counter(
        (str(group_of[record.query_id]), record.fault) for record in evaluation.records(METRIC)
    )


def attribution_table(evaluation: Evaluation) -> ReportTable:
    """Return a table of the faults behind bad responses, by category."""
    counts = fault_counts(evaluation)
    rows = [
        {"group": group} | {fault.value: counts[group, fault] for fault in Fault}
        for group in (*category_names(), CONTROLS)
    ]
    with_faults = {group for group, _ in counts}
    return declared_table("attribution", [row for row in rows if row["group"] in with_faults])


def record_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield a line for each record of the metrics that have `line`."""
    for metric in judged_metrics().values():
        if metric.line:
            yield from map(metric.line, evaluation.records(metric))
