"""The tables of an evaluation: at a glance, all scores by section, and causes of bad responses."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from uaeval.categories.names import category_names
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics import registry
from uaeval.evaluation.metrics.attribution import METRIC, Fault
from uaeval.evaluation.metrics.spec import CONTROLS, MACRO, OVERALL, Family, MetricSpec
from uaeval.records import Score
from uaeval.report import tables
from uaeval.report.tables import ReportTable, declared_table, find, holds, percent, value_of, whole
from uaeval.resources import shipped_table

_ORDER = {name: place for place, name in enumerate(category_names())}
NO_JOINT_SCORE = "There is no joint score"
NO_JOINT_REASON = "it needs at least one judged twin and one judged unanswerable query."


def headline(scores: Sequence[Score]) -> str:
    """Return a line with the joint score, and one with the ratios to read beside it."""
    beside = ", ".join(
        f"{metric.shown_name} {percent(value)} %"
        for metric in (registry.CORRECTNESS, registry.ACCEPTABLE, registry.UNANSWERED)
        if (value := value_of(scores, metric)) is not None
    )
    line, joint = f"{NO_JOINT_SCORE}: {NO_JOINT_REASON}", find(scores, registry.JOINT)
    if joint and joint.value is not None:
        line = (
            f"Joint score {percent(joint.value)} % (95 % interval {tables.interval(joint)}; "
            f"coverage {tables.coverage(joint)} %, {error_count(joint)})"
        )
    return f"{line}\n{beside}".rstrip()


def error_count(score: Score) -> str:
    """Return the number of errors, and of undecided judgements if there are any, as text."""
    errors = "1 error" if score.errors == 1 else f"{score.errors or 'no'} errors"
    return f"{errors}, {score.undecided} undecided" if score.undecided else errors


def overview_tables(scores: Sequence[Score], *, brief: bool = False) -> tuple[ReportTable, ...]:
    """Return the tables that show an evaluation at a glance.

    If `brief`, the tables by category fit 80 columns, with whole percents and short heads.
    """
    further = registry.of_family(Family.REFUSAL, Family.JUDGED, Family.OUTSIDE)
    filtered = bool(value_of(scores, registry.BLOCKED))
    if filtered:
        further = (*further, *registry.of_family(Family.BLOCKED))
    return (
        _figures_table("Headline", registry.HEADLINE, scores),
        *_category_tables(scores, brief),
        _figures_table("Further figures", further, scores, filtered=filtered),
    )


def _figures_table(
    title: str, metrics: Iterable[MetricSpec], scores: Sequence[Score], *, filtered: bool = False
) -> ReportTable:
    shown = [score for metric in metrics if (score := find(scores, metric))]
    return declared_table(
        "figures",
        shown,
        title=title,
        filtered=filtered,
        undecided={tables.figure_name(score.metric): score.undecided for score in shown},
        open=any(map(_is_open, shown)),
    )


def _category_tables(scores: Sequence[Score], brief: bool) -> Iterator[ReportTable]:
    """Yield the figures by category, and their bounds if some items are not judged."""
    columns = [metric for metric in registry.all_metrics() if metric.column]
    metrics = sorted(columns, key=lambda metric: metric.family is Family.CONTROLS)
    rows = [
        _category_row(group, known)
        for group in (*category_names(), OVERALL, MACRO)
        if (known := {each: score for each in metrics if (score := find(scores, each, group))})
    ]
    lacking = [row for row in rows if any(map(_is_open, row["scores"].values()))]
    shared = {
        "brief": brief,
        "metrics": metrics,
        "write_end": _rounded if brief else percent,
    }
    if rows:
        yield declared_table(
            "by_category",
            rows,
            legend={
                short.rpartition("\n")[2]: head.removeprefix("twins ")
                for head, short in (metric.column for metric in metrics if metric.column)
                if head != short
            },
            undecided={row["group"]: row["undecided"] for row in rows},
            acceptable=registry.ACCEPTABLE,
            of_accepted="\n(95 %)" if brief else " (95 % interval)",
            write=whole if brief else percent,
            accepted=[each for row in rows if (each := row["scores"].get(registry.ACCEPTABLE))],
            **shared,
        )
    if lacking:
        yield declared_table("open_bounds", lacking, **shared)


def _is_open(score: Score) -> bool:
    return score.judged < score.n


def _category_row(group: str, scores: Mapping[MetricSpec, Score]) -> Mapping[str, Any]:
    """Return the row of one category, or of all; `n` counts queries, or else twins."""
    of_families = [
        [score for metric, score in scores.items() if metric.family is family]
        for family in (Family.QUERIES, Family.CONTROLS)
    ]
    errors = [max(score.errors for score in members) for members in of_families if members]
    coverages = {score.judged / score.n for score in scores.values() if score.n}
    n = next(iter(scores.values())).n
    return {
        "group": group,
        "scores": scores,
        "n": n,
        "errors": "+".join(map(str, errors)) if any(errors) else "0",
        "undecided": sum(max((s.undecided for s in part), default=0) for part in of_families),
        "coverages": coverages,
        "coverage": min(coverages, default=None),
        "other_counts": ", ".join(
            f"{metric.column[0]} {score.n}"
            for metric, score in scores.items()
            if metric.column and score.n not in (0, n)
        ),
    }


def _rounded(value: float) -> str:
    return f"{100 * value:.0f}"


def score_tables(scores: Iterable[Score]) -> tuple[ReportTable, ...]:
    """Return one table per section; sections without scores are left out."""
    sections = shipped_table("report/sections.yaml")
    members: dict[str, list[Score]] = {title: [] for title in sections}
    for score in scores:
        facts = {
            "group": score.group,
            "family": registry.metric_named(score.metric).family.value,
            "is_category": score.group in _ORDER,
        }
        members[next(title for title in sections if holds(sections[title], facts))].append(score)
    for rows in members.values():
        if all(score.group in _ORDER for score in rows):
            rows.sort(key=lambda score: _ORDER[score.group])
    return tuple(_score_table(title, rows) for title, rows in members.items() if rows)


def _score_table(title: str, scores: Sequence[Score]) -> ReportTable:
    names = {score.metric for score in scores}
    of_metrics = [
        metric.note
        for metric in registry.judged_metrics().values()
        if names & {spec.name for spec in metric.metrics}
    ]
    return declared_table("scores", scores, title=title, notes=of_metrics)


def fault_counts(evaluation: Evaluation) -> dict[str, dict[str, int]]:
    """Return the number of bad responses by category (or controls) and fault."""
    group_of = {query.id: query.category or CONTROLS for query in evaluation.queries}
    counts = Counter((group_of[each.query_id], each.fault) for each in evaluation.records(METRIC))
    blamed = {group for group, _ in counts}
    groups = (group for group in (*category_names(), CONTROLS) if group in blamed)
    return {group: {fault.value: counts[group, fault] for fault in Fault} for group in groups}


def attribution_table(evaluation: Evaluation) -> ReportTable:
    """Return a table of the faults behind bad responses, by category."""
    return declared_table("attribution", fault_counts(evaluation).items())


def record_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield a line for each record of the metrics that have `line`."""
    for metric in registry.judged_metrics().values():
        if metric.line:
            yield from map(metric.line, evaluation.records(metric))
