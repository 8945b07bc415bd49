"""The kinds of charts, as data and in words; the page's script only draws them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from uaeval.categories.names import category_names
from uaeval.evaluation.metrics.registry import metric_named
from uaeval.evaluation.metrics.spec import CONTROLS, Ratio
from uaeval.records import Score, Verdict
from uaeval.report.tables import percent, spaced

_KINDS: Final[Mapping[str, str]] = {"queries": "query", "controls": "twin"}
_VERDICTS: Final = frozenset(verdict.value for verdict in Verdict)
Kind: TypeAlias = Literal["dots", "stack", "curve", "plane"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One chart.

    `dots` draws estimates with their intervals, `stack` the parts of a whole, `curve` values over
    a weight, `plane` one figure against another.
    """

    kind: Kind
    title: str
    note: str
    rows: Sequence[Mapping[str, object]]
    """What is drawn; names of keys by kind, see `assets/charts.js`."""
    series: Sequence[str]
    """The series or parts in their order; each has a colour and a shape."""
    axes: Sequence[str]
    """What the axes show; of `curve` and `plane` first x, then y."""
    options: Mapping[str, object]
    text: str
    """The same in words, for readers who do not see it."""


def chart(
    kind: Kind,
    title: str,
    rows: Sequence[Mapping[str, object]],
    words: Iterable[str],
    *,
    axes: Sequence[str],
    series: Iterable[str] = (),
    note: str = "",
    scale: str = "",
    **options: object,
) -> Chart | None:
    """Return the chart; `None` without rows. `words` describe the rows, `scale` their unit."""
    if not rows:
        return None
    return Chart(
        kind=kind,
        title=title,
        note=note,
        rows=rows,
        series=tuple(dict.fromkeys(series)),
        axes=axes,
        options=options,
        text=f"{title}{scale}: {'; '.join(words)}.",
    )


def of_group(group: str) -> dict[str, str]:
    """Return the filters for a category's queries, or for the controls."""
    if group == CONTROLS:
        return {"kind": "twin"}
    return {"kind": "query", **_category(group)}


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


def estimate(score: Score) -> dict[str, object]:
    """Return value, interval and base of a score."""
    text = f"{_in_words(score)}, {score.judged} of {score.n} judged"
    return {"value": score.value, "low": score.low, "high": score.high, "text": text}


def _in_words(score: Score) -> str:
    if score.value is None:
        return "not judged"
    if score.low is None or score.high is None:
        return f"{percent(score.value)} %"
    return f"{percent(score.value)} % ({percent(score.low)} to {percent(score.high)})"


def dots(
    title: str,
    named: Iterable[tuple[str, str, Score | None]],
    *,
    axis: str,
    note: str,
    runs: bool = False,
) -> Chart | None:
    """Draw scores (row, series, score) with intervals; with `runs` each row is a run."""
    scored = [(row, series, score) for row, series, score in named if score is not None]
    drawn = [(row, series, score) for row, series, score in scored if score.value is not None]
    several = len({series for _, series, _ in drawn}) > 1
    rows = [
        {
            "row": row,
            "series": series,
            "where": of_figure(score.metric, score.group) | {"sort": "outcome"},
            **estimate(score),
        }
        for row, series, score in drawn
    ]
    words = (
        f"{f'{row}, {series}' if several else row} {_in_words(score)}"
        for row, series, score in scored
    )
    series = (series for _, series, _ in drawn)
    return chart(
        "dots", title, rows, words, axes=[axis], series=series, note=note, ratio=True, runs=runs
    )


def point(
    label: str, x: float, x_score: Score | None, y: float, y_score: Score
) -> dict[str, object]:
    """Return a point of a plane, with the intervals of both scores."""
    return {
        "label": label,
        "x": x,
        "y": y,
        "xlow": x_score and x_score.low,
        "xhigh": x_score and x_score.high,
        "ylow": y_score.low,
        "yhigh": y_score.high,
        "text": f"{label} {percent(x)} %, {percent(y)} %",
    }


def plane(
    title: str,
    points: Sequence[Mapping[str, object]],
    *,
    axes: tuple[str, str],
    note: str,
    runs: bool = False,
) -> Chart | None:
    """Draw points on two ratios, with the intervals of those that are `whole`."""
    words = (str(point["text"]) for point in points)
    series = [str(point["label"]) for point in points] if runs else []
    scale = f"; {', '.join(axes)}"
    return chart(
        "plane", title, points, words, axes=axes, series=series, note=note, scale=scale, runs=runs
    )


def stack(
    title: str,
    rows: Iterable[tuple[str, str, int]],
    *,
    axis: str,
    where: Callable[[str, str], Mapping[str, str]] | None = None,
) -> Chart | None:
    """Draw counts (row, part, count) as stacked bars.

    `where` returns the filters that lead from row and part to queries.
    """
    drawn = list[Mapping[str, object]]()
    by_row: dict[str, list[str]] = {}
    for row, part, count in rows:
        if count:
            filters = {"where": where(row, part)} if where else {}
            drawn.append({"row": spaced(row), "part": spaced(part), "value": count, **filters})
            by_row.setdefault(spaced(row), []).append(f"{spaced(part)} {count}")
    words = (f"{row}: {', '.join(parts)}" for row, parts in by_row.items())
    series = (str(row["part"]) for row in drawn)
    return chart("stack", title, drawn, words, axes=[axis], series=series, scale=f", {axis}")
