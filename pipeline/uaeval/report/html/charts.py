"""The charts of the page as data and as text; the page's script draws them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from uaeval.categories.names import category_names
from uaeval.evaluation.compare import Comparison
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics import registry
from uaeval.evaluation.metrics.ratios import VERDICTS, Ratio
from uaeval.evaluation.metrics.spec import CONTROLS, OVERALL, MetricSpec
from uaeval.records import Score
from uaeval.report.comparison import difference_in_words, figure_in_words
from uaeval.report.tables import find, percent, spaced, value_of, with_interval
from uaeval.run_folder import Count, Manifest

_KINDS: Final[Mapping[str, str]] = {"queries": "query", "controls": "twin"}
Chart: TypeAlias = Mapping[str, object]
"""`title`, `note` and `text` for the page, and in `drawn` the data for its script."""


def chart(
    kind: Literal["dots", "stack", "curve", "plane"],
    title: str,
    rows: Iterable[Mapping[str, object]],
    *,
    axes: Sequence[str],
    words: Iterable[str] | None = None,
    series: Iterable[str] = (),
    note: str = "",
    **options: object,
) -> Chart | None:
    """Return a chart with its text alternative; `None` without rows.

    `dots` shows estimates with their intervals, `stack` the parts of a whole, `curve` values by
    weight, `plane` one figure against another; `assets/charts.js` documents the keys of their rows.
    Each of `series` has a colour and a shape. The `axes` of `curve` and `plane` are x, then y.
    `words` is the text alternative of the rows, if it does not follow from their own text.
    """
    rows, names = list(rows), tuple(dict.fromkeys(series))
    if not rows:
        return None
    if any(row.get("unreliable") for row in rows):
        note += " Hollow: an unreliable interval, marked * in the table."
    if words is None:
        of_series = [f", {row['series']}" if names[1:] and "series" in row else "" for row in rows]
        words = (f"{row['row']}{of} {row['text']}" for row, of in zip(rows, of_series, strict=True))
    text = f"{title} ({', '.join(axes)}): {'; '.join(words)}."
    drawn = {"kind": kind, "rows": rows, "series": names, "axes": axes, "options": options}
    return {"title": title, "note": note, "text": text, "drawn": drawn}


def of_group(group: str) -> dict[str, str]:
    """Return the filters for a category's queries, or for the controls."""
    return {"kind": "twin"} if group == CONTROLS else {"kind": "query", **_category(group)}


def of_figure(name: str, group: str) -> dict[str, str]:
    """Return the filters for the queries of a metric in a group."""
    metric, where = registry.metric_named(name), _category(group)
    if isinstance(metric, Ratio) and metric.of in _KINDS:
        where["kind"] = _KINDS[metric.of]
    if metric.short in VERDICTS:
        where["verdict"] = metric.short
    return where


def _category(group: str) -> dict[str, str]:
    return {"category": group} if group in category_names() else {}


def estimate(score: Score) -> dict[str, object]:
    """Return value, interval and description of a score."""
    return {
        "value": score.value,
        "low": score.low,
        "high": score.high,
        "unreliable": not (score.low is None or score.reliable) or None,
        "text": f"{with_interval(score)} %, {score.judged} of {score.n} judged",
    }


def dots(
    metric: MetricSpec, title: str, named: Iterable[tuple[str, Score | None]], *, runs: bool = False
) -> Chart | None:
    """Return a chart of a metric's scores (row, score) with intervals; rows may be `runs`."""
    better = "left" if metric.lower_is_better else "right"
    note = f"{metric.definition} Further {better} is better; 95 % intervals."
    rows = [
        {
            "row": row,
            "where": of_figure(score.metric, score.group) | {"sort": "outcome"},
            **estimate(score),
        }
        for row, score in named
        if score is not None and score.value is not None
    ]
    return chart("dots", title, rows, axes=["%"], note=note, ratio=True, runs=runs)


def point(name: str, x: float, x_score: Score | None, y_score: Score) -> dict[str, object]:
    """Return a point of a `plane` chart, with the intervals of both scores."""
    return {
        "row": name,
        "x": x,
        "y": y_score.value,
        "xlow": x_score and x_score.low,
        "xhigh": x_score and x_score.high,
        "ylow": y_score.low,
        "yhigh": y_score.high,
        "text": f"{percent(x)} %, {percent(y_score.value)} %",
    }


def stack(
    title: str,
    counts: Mapping[str, Mapping[str, int]],
    *,
    axis: str,
    note: str = "",
    filter_by: str = "",
) -> Chart | None:
    """Return a chart of counts by row and part as stacked bars.

    Parts lead to their queries by the filter named `filter_by`, if there is one.
    """
    rows = [
        {"row": spaced(row), "part": spaced(part), "value": count}
        | ({"where": of_group(row) | {filter_by: part}} if filter_by else {})
        for row, parts in counts.items()
        for part, count in parts.items()
        if count
    ]
    words = (
        f"{spaced(row)}: {', '.join(f'{spaced(part)} {n}' for part, n in parts.items() if n)}"
        for row, parts in counts.items()
        if any(parts.values())
    )
    drawn = {row["part"] for row in rows}
    series = (spaced(part) for parts in counts.values() for part in parts if spaced(part) in drawn)
    return chart("stack", title, rows, axes=[axis], words=words, series=series, note=note)


def _categories(scores: Sequence[Score]) -> Iterator[tuple[str, str]]:
    """Yield group and name of each category with scores, and of all categories together."""
    scored = {score.group for score in scores}
    yield from ((name, spaced(name)) for name in category_names() if name in scored)
    yield OVERALL, OVERALL


def metric_charts(scores: Sequence[Score], section: str) -> Iterator[Chart | None]:
    """Yield the charts that metrics declare for a section, each by category."""
    for metric in registry.all_metrics():
        if metric.chart and metric.chart.section == section:
            named = ((name, find(scores, metric, group)) for group, name in _categories(scores))
            yield dots(metric, metric.chart.title, named)


def verdict_chart(scores: Sequence[Score]) -> Chart | None:
    """Return a chart of the verdicts on unanswerable queries, by category."""
    metrics = [metric for metric in registry.all_metrics() if metric.short in VERDICTS]
    return stack(
        "What the system did",
        {
            group: {metric.short: _count(find(scores, metric, group)) for metric in metrics}
            for group in category_names()
        },
        axis="unanswerable queries",
        note="Refused, asked back (clarified), answered in part or in full.",
        filter_by="verdict",
    )


def _count(score: Score | None) -> int:
    """Return the number of judged items that count for the score."""
    return round(score.value * score.judged) if score and score.value is not None else 0


def run_charts(runs: Sequence[Evaluation]) -> Iterator[Chart | None]:
    """Yield a chart of each headline metric by run."""
    for metric in registry.HEADLINE:
        named = [(run.name, find(run.scores, metric)) for run in runs]
        yield dots(metric, metric.shown_name.capitalize(), named, runs=True)


def run_points(runs: Sequence[Evaluation]) -> Iterator[Mapping[str, object]]:
    """Yield correctness against acceptable ratio for each run that has both."""
    for run in runs:
        x, y = find(run.scores, registry.ACCEPTABLE), find(run.scores, registry.CORRECTNESS)
        if x and y and x.value is not None and y.value is not None:
            yield point(run.name, x.value, x, y) | {"whole": True}


def category_points(scores: Sequence[Score]) -> Iterator[Mapping[str, object]]:
    """Yield the correctness of twins against refusal recall, by category."""
    recall = find(scores, registry.RECALL)
    for group, name in _categories(scores):
        correct = find(scores, registry.CORRECTNESS, group)
        parts = (registry.UNANSWERED, registry.CLARIFICATION)
        abstained = [each for part in parts if (each := value_of(scores, part, group)) is not None]
        if recall and correct and correct.value is not None and len(abstained) == len(parts):
            whole = group == OVERALL
            shown = point(name, sum(abstained), recall if whole else None, correct)
            yield shown | {"whole": whole, "where": of_group(group) | {"sort": "outcome"}}


def curve_chart(runs: Sequence[Evaluation]) -> Chart | None:
    """Return a chart of the joint score of each run by weight of correctness."""
    rows = [
        {"row": run.name, "series": run.name, "x": float(score.group.removeprefix("w1="))}
        | estimate(score)
        for run in runs
        for score in run.scores
        if score.metric == registry.JOINT_CURVE.name and score.value is not None
    ]
    words = (f"{row['row']} at w1 = {row['x']} {row['text']}" for row in rows if row["x"] in (0, 1))
    weight = runs[0].manifest.score_settings.weights[0]
    used = ((run.name, find(run.scores, registry.JOINT)) for run in runs)
    return chart(
        "curve",
        "Joint score by weight of correctness",
        rows,
        axes=("w1: weight of correctness against acceptable ratio", "joint score %"),
        words=words,
        series=(run.name for run in runs),
        note=f"The weight in use, w1 = {weight:g}, has the 95 % interval of the joint score.",
        used=[{"series": name, "x": weight} | estimate(score) for name, score in used if score],
        runs=len(runs) > 1,
    )


def differences(members: Sequence[Comparison]) -> Iterator[Mapping[str, object]]:
    """Yield the differences in percentage points with their intervals."""
    for member in members:
        if member.difference is not None and member.interval is not None:
            yield {
                "row": figure_in_words(member),
                "series": "significant" if member.significant else "not significant",
                "value": member.difference,
                **member.interval._asdict(),
                "text": f"{difference_in_words(member)} points",
                "unreliable": not member.reliable or None,
                "where": of_figure(member.metric, member.group) | {"flip": "any"},
            }


def fates(category: str, manifest: Manifest) -> dict[str, int]:
    """Return the number of attempts to write a query of a category by their outcome."""
    written, verified, selected = (
        manifest.stages.get(stage, {}).get(category, Count())
        for stage in ("generate", "verify", "select")
    )
    spare = selected.reasons.get("spare", 0)
    return {
        "in the dataset": manifest.selected.get(category, 0),
        "proven, not needed": spare,
        "rejected by a check": verified.rejected + selected.rejected - spare,
        "no candidate written": written.rejected,
        "blocked": written.blocked + verified.blocked,
        "failed": written.failed + verified.failed,
    }
