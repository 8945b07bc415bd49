"""The kinds of charts: what each shows, as data and in words; the page's script only draws them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from uaeval.categories.names import category_names
from uaeval.evaluation.metrics.registry import metric_named
from uaeval.evaluation.metrics.spec import CONTROLS, Ratio
from uaeval.evaluation.metrics.standard import JOINT_CURVE
from uaeval.report.tables import percent, spaced
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


Kind: TypeAlias = Literal["dots", "stack", "curve", "plane"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One chart.

    `dots` draws estimates with their intervals, `stack` the parts of a whole, `curve` values over
    a weight, `plane` one figure against another.
    """

    kind: Kind
    title: str
    note: str = ""
    rows: tuple[Mapping[str, object], ...]
    """What is drawn; names of keys by kind, see `assets/charts.js`."""
    series: tuple[str, ...] = ()
    """The series or parts in their order; each has a colour and a shape."""
    axes: tuple[str, ...] = ()
    """What the axes show; of `curve` and `plane` first x, then y."""
    options: Mapping[str, object]
    text: str
    """The same in words, for readers who do not see it."""


def dots(
    title: str,
    named: Iterable[tuple[str, str, Score | None]],
    *,
    axis: str,
    note: str = "",
    runs: bool = False,
) -> Chart | None:
    """Draw scores (row, series, score) with intervals; `None` if none of them has a value.

    With `runs` the rows are runs, each in its colour.
    """
    scored = [(row, series, score) for row, series, score in named if score is not None]
    rows = tuple(
        {"row": row, "series": series, "where": of_score(score), **estimate(score)}
        for row, series, score in scored
        if score.value is not None
    )
    if not rows:
        return None
    series = tuple(dict.fromkeys(str(row["series"]) for row in rows))
    several = len(series) > 1
    parts = (
        f"{f'{row}, {name}' if several else row} {in_words(score)}" for row, name, score in scored
    )
    return Chart(
        kind="dots",
        title=title,
        note=note,
        rows=rows,
        series=series,
        axes=(axis,),
        options={"ratio": True, "runs": runs},
        text=f"{title}: {'; '.join(parts)}.",
    )


def estimate(score: Score) -> dict[str, object]:
    """Return value, interval and base of a score."""
    return {
        "value": rounded(score.value),
        "low": rounded(score.low),
        "high": rounded(score.high),
        "text": f"{percent(score.value)} %{_within(score)}, {score.judged} of {score.n} judged",
    }


def in_words(score: Score) -> str:
    """Write a score with its interval."""
    return "not judged" if score.value is None else f"{percent(score.value)} %{_within(score)}"


def _within(score: Score) -> str:
    if score.low is None or score.high is None:
        return ""
    return f" ({percent(score.low)} to {percent(score.high)})"


def rounded(value: float | None) -> float | None:
    """Return a ratio with as many decimals as can be seen."""
    return None if value is None else round(value, 4)


def plane(
    title: str,
    points: Sequence[Mapping[str, object]],
    *,
    axes: tuple[str, str],
    note: str,
    runs: bool = False,
) -> Chart | None:
    """Draw points (label, x, y, and intervals of those that are `whole`) on two ratios."""
    if not points:
        return None
    parts = (f"{point['label']} {_ratio(point['x'])}, {_ratio(point['y'])}" for point in points)
    return Chart(
        kind="plane",
        title=title,
        note=note,
        rows=tuple(points),
        series=tuple(str(point["label"]) for point in points) if runs else (),
        axes=axes,
        options={"runs": runs},
        text=f"{title}; {axes[0]}, {axes[1]}: {'; '.join(parts)}.",
    )


def _ratio(value: object) -> str:
    return f"{percent(value)} %" if isinstance(value, float) else "not known"


def curve_chart(named: Sequence[tuple[str, Sequence[Score]]], weight: float) -> Chart | None:
    """Draw the joint score of each run for every weight of correctness."""
    rows = tuple(
        {"series": name, "x": float(score.group.removeprefix("w1=")), **estimate(score)}
        for name, scores in named
        for score in scores
        if score.metric == JOINT_CURVE.name and score.value is not None
    )
    if not rows:
        return None
    ends = (_ends(name, [row for row in rows if row["series"] == name]) for name, _ in named)
    return Chart(
        kind="curve",
        title="Joint score by weight of correctness",
        note=f"The weight in use is w1 = {weight:g}; the band is the 95 % interval.",
        rows=rows,
        series=tuple(name for name, _ in named),
        axes=("w1: weight of correctness against acceptable ratio", "joint score %"),
        options={"mark": weight, "runs": len(named) > 1},
        text=f"Joint score by weight of correctness: {'; '.join(ends)}.",
    )


def _ends(name: str, rows: Sequence[Mapping[str, object]]) -> str:
    if not rows:
        return f"{name} is not judged"
    first, last = (f"{_ratio(row['value'])} at w1 = {row['x']}" for row in (rows[0], rows[-1]))
    return f"{name} from {first} to {last}"


def stack(
    title: str,
    rows: Iterable[tuple[str, str, int]],
    *,
    axis: str,
    where: Callable[[str, str], Mapping[str, str]] | None = None,
) -> Chart | None:
    """Draw counts (row, part, count) as stacked bars; `None` if there is nothing to count.

    `where` returns the filters that lead from row and part to queries.
    """
    counted = [(row, part, count) for row, part, count in rows if count]
    if not counted:
        return None
    by_row: dict[str, list[str]] = {}
    for row, part, count in counted:
        by_row.setdefault(spaced(row), []).append(f"{spaced(part)} {count}")
    text = "; ".join(f"{row}: {', '.join(parts)}" for row, parts in by_row.items())
    return Chart(
        kind="stack",
        title=title,
        rows=tuple(
            {
                "row": spaced(row),
                "part": spaced(part),
                "value": count,
                **({"where": where(row, part)} if where else {}),
            }
            for row, part, count in counted
        ),
        series=tuple(dict.fromkeys(spaced(part) for _, part, _ in counted)),
        axes=(axis,),
        options={},
        text=f"{title}, {axis}: {text}.",
    )
