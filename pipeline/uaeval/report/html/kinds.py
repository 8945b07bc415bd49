"""The kinds of charts, as data and in words; the page's script only draws them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from uaeval.categories.names import category_names
from uaeval.evaluation.metrics.registry import metric_named
from uaeval.evaluation.metrics.spec import CONTROLS, Ratio
from uaeval.records import Score, Verdict
from uaeval.report.tables import percent, spaced, with_interval

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
    *,
    axes: Sequence[str],
    words: Iterable[str] | None = None,
    series: Iterable[str] = (),
    note: str = "",
    **options: object,
) -> Chart | None:
    """Return the chart; `None` without rows. `words` describe what the text of rows does not."""
    names = tuple(dict.fromkeys(series))
    if words is None:
        words = (_described(row, several=len(names) > 1) for row in rows)
    if not rows:
        return None
    return Chart(
        kind=kind,
        title=title,
        note=note,
        rows=rows,
        series=names,
        axes=axes,
        options=options,
        text=f"{title} ({', '.join(axes)}): {'; '.join(words)}.",
    )


def _described(row: Mapping[str, object], *, several: bool) -> str:
    series = f", {row['series']}" if several and "series" in row else ""
    return f"{row['row']}{series} {row['text']}"


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
    text = f"{with_interval(score)} %, {score.judged} of {score.n} judged"
    return {"value": score.value, "low": score.low, "high": score.high, "text": text}


def dots(
    title: str,
    named: Iterable[tuple[str, str, Score | None]],
    *,
    axis: str,
    note: str,
    runs: bool = False,
) -> Chart | None:
    """Draw scores (row, series, score) with intervals; with `runs` each row is a run."""
    rows = [
        {
            "row": row,
            "series": series,
            "where": of_figure(score.metric, score.group) | {"sort": "outcome"},
            **estimate(score),
        }
        for row, series, score in named
        if score is not None and score.value is not None
    ]
    series = (str(row["series"]) for row in rows)
    return chart("dots", title, rows, axes=[axis], series=series, note=note, ratio=True, runs=runs)


def point(
    name: str, x: float, x_score: Score | None, y: float, y_score: Score
) -> dict[str, object]:
    """Return a point of a plane, with the intervals of both scores."""
    return {
        "row": name,
        "x": x,
        "y": y,
        "xlow": x_score and x_score.low,
        "xhigh": x_score and x_score.high,
        "ylow": y_score.low,
        "yhigh": y_score.high,
        "text": f"{percent(x)} %, {percent(y)} %",
    }


def stack(
    title: str,
    counts: Mapping[str, Mapping[str, int]],
    *,
    axis: str,
    where: Callable[[str, str], Mapping[str, str]] | None = None,
) -> Chart | None:
    """Draw counts by row and part as stacked bars.

    `where` returns the filters that lead from row and part to queries.
    """
    rows = [
        {"row": spaced(row), "part": spaced(part), "value": count}
        | ({"where": where(row, part)} if where else {})
        for row, parts in counts.items()
        for part, count in parts.items()
        if count
    ]
    words = (
        f"{spaced(row)}: {', '.join(f'{spaced(part)} {n}' for part, n in parts.items() if n)}"
        for row, parts in counts.items()
        if any(parts.values())
    )
    series = (str(row["part"]) for row in rows)
    return chart("stack", title, rows, axes=[axis], words=words, series=series)
