"""What a page says of several runs together: who is better at what, and how surely."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from uaeval.evaluation.compare import Comparison
from uaeval.evaluation.flips import ChangedOutcome
from uaeval.evaluation.metrics.registry import metric_named
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.evaluation.metrics.standard import ACCEPTABLE, CORRECTNESS, STANDARD
from uaeval.report.comparison import by_runs, comparison_tables, flip_table
from uaeval.report.html.kinds import Chart, curve_chart, dots, of_figure, plane
from uaeval.report.html.sections import Section, section
from uaeval.report.reading import ReportData
from uaeval.report.tables import ReportTable, find, spaced

_FLIPS = 20  # flipped queries that are listed; all can be picked out of the queries
_SURE, _UNSURE = "significant", "not significant"


def contrast_sections(
    runs: Sequence[ReportData], comparisons: Sequence[Comparison], flips: Sequence[ChangedOutcome]
) -> Iterator[Section]:
    """Yield the sections that hold `runs` against each other."""
    scores = [(run.name, run.evaluation.scores) for run in runs]
    curve = curve_chart(scores, runs[0].about.weights[0])
    yield section(
        "runs", "Side by side", "Side by side", [*_figure_charts(runs), _plane(runs), curve]
    )
    pairs = zip(by_runs(comparisons), comparison_tables(comparisons), strict=True)
    for number, ((first, second, members), table) in enumerate(pairs):
        yield section(
            f"comparison-{number}",
            f"{second} – {first}",
            f"{second} against {first}",
            [_difference_chart(first, second, members)],
            [table],
        )
    yield section(
        "flips",
        "Flipped",
        "Queries that flipped",
        tables=[_flip_table(flips)],
        text=_flips_text(flips),
    )


def _figure_charts(runs: Sequence[ReportData]) -> Iterator[Chart | None]:
    for metric in (metric for metric in STANDARD if metric.headline):
        better = "left" if metric.lower_is_better else "right"
        name = metric.shown_name
        yield dots(
            name.capitalize(),
            [(run.name, name, find(run.evaluation.scores, metric)) for run in runs],
            axis="%",
            note=f"95 % intervals. Further {better} is better.",
            runs=True,
        )


def _plane(runs: Sequence[ReportData]) -> Chart | None:
    points = []
    for run in runs:
        x = find(run.evaluation.scores, ACCEPTABLE)
        y = find(run.evaluation.scores, CORRECTNESS)
        if x and y and x.value is not None and y.value is not None:
            points.append(
                {
                    "label": run.name,
                    "whole": True,
                    **{"x": x.value, "xlow": x.low, "xhigh": x.high},
                    **{"y": y.value, "ylow": y.low, "yhigh": y.high},
                }
            )
    return plane(
        "Correctness against acceptable refusal",
        points,
        axes=("acceptable ratio %", "correctness %"),
        note="Best is the upper right; 95 % intervals.",
        runs=True,
    )


def _difference_chart(first: str, second: str, members: Sequence[Comparison]) -> Chart | None:
    """Draw the differences in percentage points with their intervals."""
    rows = list[Mapping[str, object]]()
    for member in members:
        if member.difference is None or member.interval is None:
            continue
        name, group = metric_named(member.metric).shown_name, spaced(member.group)
        sure = _SURE if member.significant else _UNSURE
        low, high = member.interval
        points = f"{100 * member.difference:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f})"
        rows.append(
            {
                "row": name if member.group == OVERALL else f"{name}, {group}",
                "series": sure,
                "value": round(member.difference, 4),
                "low": round(low, 4),
                "high": round(high, 4),
                "text": f"{points}, {sure}",
                "where": of_figure(member.metric, member.group) | {"flip": "any"},
            }
        )
    if not rows:
        return None
    parts = (f"{row['row']} {row['text']}" for row in rows)
    title = f"What changes from {first} to {second}"
    return Chart(
        kind="dots",
        title=title,
        note="Differences with 95 % intervals; significance as in the table below.",
        rows=tuple(rows),
        series=(_SURE, _UNSURE),
        axes=("percentage points",),
        options={"ratio": False},
        text=f"{title}: {'; '.join(parts)}.",
    )


def _flip_table(flips: Sequence[ChangedOutcome]) -> ReportTable:
    more = len(flips) - _FLIPS
    note = f"{more} more can be picked out of the queries below." if more > 0 else ""
    return replace(flip_table(flips, _FLIPS), note=note)


def _flips_text(flips: Sequence[ChangedOutcome]) -> str:
    if not flips:
        return "No query is good in one run and bad in another."
    counts = Counter((flip.good, flip.bad) for flip in flips)
    parts = (f"{count} good in {good} and bad in {bad}" for (good, bad), count in counts.items())
    return f"{'; '.join(parts)}."
