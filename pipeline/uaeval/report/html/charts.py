"""The charts of the page: of an evaluation, of several together, and of a dataset."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from uaeval.categories.names import category_names
from uaeval.evaluation.compare import Comparison
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.attribution import Fault
from uaeval.evaluation.metrics.registry import all_metrics, metric_named
from uaeval.evaluation.metrics.spec import CONTROLS, OVERALL
from uaeval.evaluation.metrics.standard import (
    ACCEPTABLE,
    CLARIFICATION,
    CORRECTNESS,
    JOINT_CURVE,
    RECALL,
    STANDARD,
    UNANSWERED,
)
from uaeval.records import Score
from uaeval.report.all_scores import fault_counts
from uaeval.report.html.kinds import (
    Chart,
    chart,
    dots,
    estimate,
    of_figure,
    of_group,
    plane,
    point,
    stack,
)
from uaeval.report.tables import find, percent, spaced
from uaeval.run_folder import Count, Manifest

_MOST_REASONS = 10


def _categories(scores: Sequence[Score]) -> Iterator[tuple[str, str]]:
    """Yield group and name of each category that was scored, and of all together."""
    scored = {score.group for score in scores}
    yield from ((name, spaced(name)) for name in category_names() if name in scored)
    yield OVERALL, "all"


def metric_charts(scores: Sequence[Score], section: str) -> Iterator[Chart | None]:
    """Draw the charts that metrics declare for a section, each by category."""
    metrics = [metric for metric in all_metrics() if metric.chart]
    for declared in dict.fromkeys(metric.chart for metric in metrics):
        if declared and declared.section == section:
            named = (
                (name, metric.short or metric.shown_name, find(scores, metric, group))
                for group, name in _categories(scores)
                for metric in metrics
                if metric.chart == declared
            )
            yield dots(declared.title, named, axis=declared.axis, note=declared.note)


def run_charts(runs: Sequence[Evaluation]) -> Iterator[Chart | None]:
    """Draw each headline metric by run, then correctness against acceptable refusal."""
    for metric in (metric for metric in STANDARD if metric.headline):
        name, better = metric.shown_name, "left" if metric.lower_is_better else "right"
        named = [(run.name, name, find(run.scores, metric)) for run in runs]
        note = f"95 % intervals. Further {better} is better."
        yield dots(name.capitalize(), named, axis="%", note=note, runs=True)
    points = []
    for run in runs:
        x = find(run.scores, ACCEPTABLE)
        y = find(run.scores, CORRECTNESS)
        if x and y and x.value is not None and y.value is not None:
            points.append(point(run.name, x.value, x, y.value, y) | {"whole": True})
    yield plane(
        "Correctness against acceptable refusal",
        points,
        axes=("acceptable ratio %", "correctness %"),
        note="Best is the upper right; 95 % intervals.",
        runs=True,
    )


def plane_chart(scores: Sequence[Score]) -> Chart | None:
    """Draw for each category how many twins were answered rightly against how much was declined."""
    points = []
    recall = find(scores, RECALL)
    for group, name in _categories(scores):
        correct = find(scores, CORRECTNESS, group)
        declined = [find(scores, metric, group) for metric in (UNANSWERED, CLARIFICATION)]
        values = [score.value for score in declined if score and score.value is not None]
        if recall and correct and correct.value is not None and len(values) == len(declined):
            whole = group == OVERALL
            shown = point(name, sum(values), recall if whole else None, correct.value, correct)
            where = of_group(group) | {"sort": "outcome"}
            points.append(shown | {"whole": whole, "where": where})
    return plane(
        "Correctness against refusal",
        points,
        axes=("% of unanswerable queries refused or asked back about", "% of twins correct"),
        note="Each category, and all together with 95 % intervals. Best is the upper right.",
    )


def curve_chart(runs: Sequence[Evaluation]) -> Chart | None:
    """Draw the joint score of each run for every weight of correctness."""
    rows, words = list[Mapping[str, object]](), []
    for run in runs:
        curve = [
            (score.group.removeprefix("w1="), score)
            for score in run.scores
            if score.metric == JOINT_CURVE.name and score.value is not None
        ]
        rows += [{"series": run.name, "x": float(at), **estimate(score)} for at, score in curve]
        ends = [f"{percent(score.value)} % at w1 = {float(at)}" for at, score in curve]
        words.append(
            f"{run.name} from {ends[0]} to {ends[-1]}" if ends else f"{run.name} is not judged"
        )
    weight = runs[0].manifest.score_settings.weights[0]
    return chart(
        "curve",
        "Joint score by weight of correctness",
        rows,
        words,
        axes=("w1: weight of correctness against acceptable ratio", "joint score %"),
        series=(run.name for run in runs),
        note=f"The weight in use is w1 = {weight:g}; the band is the 95 % interval.",
        mark=weight,
        runs=len(runs) > 1,
    )


def difference_chart(first: str, second: str, members: Sequence[Comparison]) -> Chart | None:
    """Draw the differences in percentage points with their intervals."""
    rows = list[Mapping[str, object]]()
    for member in members:
        if member.difference is None or member.interval is None:
            continue
        name, group = metric_named(member.metric).shown_name, spaced(member.group)
        sure = "significant" if member.significant else "not significant"
        low, high = member.interval
        points = f"{100 * member.difference:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f})"
        rows.append(
            {
                "row": name if member.group == OVERALL else f"{name}, {group}",
                "series": sure,
                "value": member.difference,
                "low": low,
                "high": high,
                "text": f"{points}, {sure}",
                "where": of_figure(member.metric, member.group) | {"flip": "any"},
            }
        )
    return chart(
        "dots",
        f"What changes from {first} to {second}",
        rows,
        (f"{row['row']} {row['text']}" for row in rows),
        axes=["percentage points"],
        series=["significant", "not significant"],
        note="Differences with 95 % intervals; significance as in the table below.",
        ratio=False,
    )


def fault_chart(evaluation: Evaluation) -> Chart | None:
    """Draw what the bad responses are laid to, by category."""
    counts = fault_counts(evaluation)
    return stack(
        "Retrieval or generation?",
        (
            (group, fault.value, counts[group, fault])
            for group in (*category_names(), CONTROLS)
            for fault in Fault
        ),
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
