"""The charts of one run."""

from collections import Counter
from collections.abc import Iterator, Sequence

from uaeval.categories.names import category_names
from uaeval.evaluation.metrics.attribution import Attribution, Fault
from uaeval.evaluation.metrics.registry import all_metrics
from uaeval.evaluation.metrics.spec import CONTROLS, OVERALL
from uaeval.evaluation.metrics.standard import CLARIFICATION, CORRECTNESS, RECALL, UNANSWERED
from uaeval.report.html.kinds import Chart, dots, of_group, plane, rounded, stack
from uaeval.report.tables import find, spaced
from uaeval.run_folder import Count, Manifest
from uaeval.types import Query, Score

_MOST_REASONS = 10


def categories(scores: Sequence[Score]) -> Iterator[tuple[str, str]]:
    """Yield group and name of each category that was scored, and of all together."""
    scored = {score.group for score in scores}
    yield from ((name, spaced(name)) for name in category_names() if name in scored)
    yield OVERALL, "all"


def metric_charts(scores: Sequence[Score], section: str) -> Iterator[Chart | None]:
    """Draw the charts that metrics declare for a section, each by category."""
    metrics = [metric for metric in all_metrics() if metric.chart]
    for chart in dict.fromkeys(metric.chart for metric in metrics):
        if chart and chart.section == section:
            named = (
                (name, metric.short or metric.shown_name, find(scores, metric, group))
                for group, name in categories(scores)
                for metric in metrics
                if metric.chart == chart
            )
            yield dots(chart.title, named, axis=chart.axis, note=chart.note)


def plane_chart(scores: Sequence[Score]) -> Chart | None:
    """Draw for each category how many twins were answered rightly against how much was declined."""
    points = []
    recall = find(scores, RECALL)
    for group, name in categories(scores):
        refused, clarified, correct = (
            find(scores, metric, group) for metric in (UNANSWERED, CLARIFICATION, CORRECTNESS)
        )
        values = [score.value for score in (refused, clarified, correct) if score]
        known = [value for value in values if value is not None]
        if recall and correct and len(known) == 3:
            whole = group == OVERALL
            points.append(
                {
                    "label": name,
                    "where": of_group(group) | {"sort": "outcome"},
                    "x": round(known[0] + known[1], 4),
                    "y": round(known[2], 4),
                    "whole": whole,
                    "xlow": rounded(recall.low) if whole else None,
                    "xhigh": rounded(recall.high) if whole else None,
                    "ylow": rounded(correct.low),
                    "yhigh": rounded(correct.high),
                }
            )
    return plane(
        "Correctness against refusal",
        points,
        axes=("% of unanswerable queries refused or asked back about", "% of twins correct"),
        note="Each category, and all together with 95 % intervals. Best is the upper right.",
    )


def fault_chart(queries: Sequence[Query], attributions: Sequence[Attribution]) -> Chart | None:
    """Draw what the bad responses are laid to, by category."""
    group_of = {query.id: query.category or CONTROLS for query in queries}
    counts = Counter((str(group_of[record.query_id]), record.fault) for record in attributions)
    rows = [
        (group, fault.value, counts[group, fault])
        for group in (*category_names(), CONTROLS)
        for fault in Fault
    ]
    return stack(
        "Retrieval or generation?",
        rows,
        axis="bad responses",
        where=lambda group, fault: of_group(group) | {"cause": fault},
    )


def yield_chart(manifest: Manifest) -> Chart | None:
    """Draw what became of the candidates that were written, by category."""
    rows = list[tuple[str, str, int]]()
    for name in manifest.asked:
        written = manifest.stages.get("generate", {}).get(name, Count())
        verified = manifest.stages.get("verify", {}).get(name, Count())
        chosen = manifest.chosen.get(name, 0)
        fates = {
            "in the dataset": chosen,
            "proven, not needed": max(0, verified.kept - chosen),
            "rejected": verified.rejected,
            "blocked": written.blocked + verified.blocked,
            "failed": written.failed + verified.failed,
        }
        rows += [(name, fate, count) for fate, count in fates.items()]
    return stack("What became of the candidates", rows, axis="candidates")


def reason_chart(manifest: Manifest) -> Chart | None:
    """Draw the commonest reasons for which candidates were rejected after they were written."""
    reasons: Counter[str] = Counter()
    for stage in ("verify", "select"):
        for count in manifest.stages.get(stage, {}).values():
            reasons.update(count.reasons)
    rows = [(reason, "candidates", count) for reason, count in reasons.most_common(_MOST_REASONS)]
    return stack("Why candidates were turned down", rows, axis="candidates")
