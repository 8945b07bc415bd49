"""The scores on one page: the headline, one row for each category, and what stands beside them."""

from collections.abc import Iterable, Sequence

from uaeval.evaluation.metrics.registry import of_family
from uaeval.evaluation.metrics.spec import Family, MetricSpec
from uaeval.evaluation.metrics.standard import BLOCKED, HEADLINE, JOINT
from uaeval.records import Score
from uaeval.report.by_category import bounds_table, category_rows, category_table
from uaeval.report.tables import (
    ReportTable,
    coverage,
    declared_table,
    find,
    interval,
    percent,
)

NO_JOINT_SCORE = "There is no joint score"
NO_JOINT_REASON = "it needs at least one judged twin and one judged unanswerable query."


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
    errors = "1 error" if score.errors == 1 else f"{score.errors or 'no'} errors"
    return f"{errors}, {score.undecided} undecided" if score.undecided else errors


def overview_tables(scores: Sequence[Score], *, brief: bool = False) -> tuple[ReportTable, ...]:
    """Return the tables that show an evaluation at a glance.

    Args:
        scores: All scores of an evaluation.
        brief: Make the category tables fit 80 columns: whole percents under short headers.
    """
    rows = tuple(category_rows(scores))
    tables = [_figures_table("Headline", HEADLINE, scores)]
    if rows:
        tables.append(category_table(rows, brief=brief))
    if any(row.is_open for row in rows):
        tables.append(bounds_table(rows, brief=brief))
    return (*tables, _further_table(scores))


def _further_table(scores: Sequence[Score]) -> ReportTable:
    """Show refusal as a classifier, knowledge from outside, and content filters if any acted."""
    metrics = of_family(Family.REFUSAL, Family.JUDGED, Family.OUTSIDE)
    blocked = find(scores, BLOCKED)
    filtered = bool(blocked and blocked.value)
    if filtered:
        metrics = (*metrics, *of_family(Family.BLOCKED))
    return _figures_table("Further figures", metrics, scores, filtered=filtered)


def _figures_table(
    title: str, metrics: Iterable[MetricSpec], scores: Sequence[Score], *, filtered: bool = False
) -> ReportTable:
    by_name = {
        metric.shown_name: score
        for metric in metrics
        if (score := find(scores, metric)) is not None
    }
    return declared_table(
        "figures",
        [{"name": name, "score": score} for name, score in by_name.items()],
        title=title,
        filtered=filtered,
        undecided={name: score.undecided for name, score in by_name.items()},
        open=any(score.judged < score.n for score in by_name.values()),
    )
