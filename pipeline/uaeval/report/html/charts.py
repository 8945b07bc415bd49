"""What the charts of one run show, as data and in words; the page's script only draws them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from uaeval.evaluation.attribution import Attribution, Fault
from uaeval.evaluation.figures import CONTROLS, OVERALL, Figure
from uaeval.report.tables import find, percent
from uaeval.run_folder import Count, Manifest
from uaeval.types import Category, Query, Score

Kind: TypeAlias = Literal["dots", "stack", "curve", "plane"]
_MOST_REASONS = 10
_VERDICTS = {
    Figure.UNANSWERED: "refused",
    Figure.CLARIFICATION: "clarified",
    Figure.ANSWERED: "answered",
}


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
    told: str
    """The same in words, for whoever does not see it."""


def dots(
    title: str,
    named: Iterable[tuple[str, str, Score | None]],
    *,
    axis: str,
    note: str = "",
) -> Chart | None:
    """Draw scores (row, series, score) with intervals; `None` if none of them has a value."""
    found = [(row, series, score) for row, series, score in named if score is not None]
    rows = tuple(
        {"row": row, "series": series, **estimate(score)}
        for row, series, score in found
        if score.value is not None
    )
    if not rows:
        return None
    series = tuple(dict.fromkeys(str(row["series"]) for row in rows))
    told = (
        f"{_joined(row, name if len(series) > 1 else '')} {in_words(score)}"
        for row, name, score in found
    )
    return Chart(
        kind="dots",
        title=title,
        note=note,
        rows=rows,
        series=series,
        axes=(axis,),
        options={"ratio": True},
        told=f"{title}: {'; '.join(told)}.",
    )


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def estimate(score: Score) -> dict[str, object]:
    """Return value, interval and base of a score."""
    return {
        "value": _rounded(score.value),
        "low": _rounded(score.low),
        "high": _rounded(score.high),
        "told": f"{percent(score.value)} %{_within(score)}, {score.judged} of {score.n} judged",
    }


def in_words(score: Score) -> str:
    """Write a score with its interval."""
    return "not judged" if score.value is None else f"{percent(score.value)} %{_within(score)}"


def _within(score: Score) -> str:
    if score.low is None or score.high is None:
        return ""
    return f" ({percent(score.low)} to {percent(score.high)})"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def categories(scores: Sequence[Score]) -> Iterator[tuple[str, str]]:
    """Yield group and name of each category that was scored, and of all together."""
    scored = {score.group for score in scores}
    yield from ((one.value, one.replace("_", " ")) for one in Category if one.value in scored)
    yield OVERALL, "all"


def acceptable_chart(scores: Sequence[Score]) -> Chart | None:
    """Draw the acceptable ratio by category."""
    named = (
        (name, "acceptable", find(scores, Figure.ACCEPTABLE, group))
        for group, name in categories(scores)
    )
    return dots(
        "Acceptable responses",
        named,
        axis="% of unanswerable queries",
        note="Dots with 95 % intervals. Further right is better.",
    )


def correct_chart(scores: Sequence[Score]) -> Chart | None:
    """Draw the correctness of the twins by category of the pair."""
    named = (
        (name, "correct", find(scores, Figure.CORRECTNESS, group))
        for group, name in categories(scores)
    )
    return dots(
        "Correct answers",
        named,
        axis="% of answerable twins",
        note="The twins of each category's queries, with 95 % intervals. Further right is better.",
    )


def verdict_chart(scores: Sequence[Score]) -> Chart | None:
    """Draw the shares of the three verdicts by category."""
    named = (
        (name, verdict, find(scores, figure, group))
        for group, name in categories(scores)
        for figure, verdict in _VERDICTS.items()
    )
    return dots(
        "What the system did",
        named,
        axis="% of unanswerable queries",
        note="Refused, asked back (clarified), or answered all the same; 95 % intervals.",
    )


def over_refusal_chart(scores: Sequence[Score]) -> Chart | None:
    """Draw the over-refusal rate by category of the pair."""
    named = (
        (name, "over-refused", find(scores, Figure.OVER_REFUSAL, group))
        for group, name in categories(scores)
    )
    return dots(
        "Over-refusal",
        named,
        axis="% of answerable twins",
        note="Twins that the system refused, or asked back about. Further left is better.",
    )


def plane_chart(scores: Sequence[Score]) -> Chart | None:
    """Draw for each category how many twins were answered rightly against how much was declined."""
    points = []
    for group, name in categories(scores):
        answered, correct = (
            find(scores, Figure.ANSWERED, group),
            find(scores, Figure.CORRECTNESS, group),
        )
        if answered and correct and answered.value is not None and correct.value is not None:
            points.append(
                {
                    "label": name,
                    "x": round(1 - answered.value, 4),
                    "y": round(correct.value, 4),
                    "whole": group == OVERALL,
                    "xlow": _rounded(None if answered.high is None else 1 - answered.high),
                    "xhigh": _rounded(None if answered.low is None else 1 - answered.low),
                    "ylow": _rounded(correct.low),
                    "yhigh": _rounded(correct.high),
                }
            )
    return plane(
        "Correctness against refusal",
        points,
        axes=("% of unanswerable queries not answered", "% of twins correct"),
        note="Each category, and all together with 95 % intervals. Best is the upper right.",
    )


def plane(
    title: str, points: Sequence[Mapping[str, object]], *, axes: tuple[str, str], note: str
) -> Chart | None:
    """Draw points (label, x, y, and intervals of those that are `whole`) on two ratios."""
    if not points:
        return None
    told = (f"{one['label']} {_told(one['x'])}, {_told(one['y'])}" for one in points)
    return Chart(
        kind="plane",
        title=title,
        note=note,
        rows=tuple(points),
        axes=axes,
        options={},
        told=f"{title}; {axes[0]}, {axes[1]}: {'; '.join(told)}.",
    )


def _told(value: object) -> str:
    return f"{percent(value)} %" if isinstance(value, float) else "not known"


def curve_chart(named: Sequence[tuple[str, Sequence[Score]]], weight: float) -> Chart | None:
    """Draw the joint score of each run for every weight of correctness."""
    rows = tuple(
        {"series": name, "x": float(score.group.removeprefix("w1=")), **estimate(score)}
        for name, scores in named
        for score in scores
        if score.metric == Figure.JOINT_CURVE and score.value is not None
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
        options={"mark": weight},
        told=f"Joint score by weight of correctness: {'; '.join(ends)}.",
    )


def _ends(name: str, rows: Sequence[Mapping[str, object]]) -> str:
    if not rows:
        return f"{name} is not judged"
    first, last = (f"{_told(row['value'])} at w1 = {row['x']}" for row in (rows[0], rows[-1]))
    return f"{name} from {first} to {last}"


def fault_chart(queries: Sequence[Query], attributions: Sequence[Attribution]) -> Chart | None:
    """Draw what the bad responses are laid to, by category."""
    group_of = {query.id: query.category or CONTROLS for query in queries}
    counts = Counter((str(group_of[one.query_id]), one.fault) for one in attributions)
    rows = [
        (group.replace("_", " "), fault.replace("_", " "), counts[group, fault])
        for group in (*(one.value for one in Category), CONTROLS)
        for fault in Fault
    ]
    return stack("Retrieval or generation?", rows, axis="bad responses")


def yield_chart(manifest: Manifest) -> Chart | None:
    """Draw what became of the candidates that were written, by category."""
    rows = []
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
        rows += [(name.replace("_", " "), fate, count) for fate, count in fates.items()]
    return stack("What became of the candidates", rows, axis="candidates")


def reason_chart(manifest: Manifest) -> Chart | None:
    """Draw the commonest reasons for which candidates were rejected after they were written."""
    reasons: Counter[str] = Counter()
    for stage in ("verify", "select"):
        for count in manifest.stages.get(stage, {}).values():
            reasons.update(count.reasons)
    rows = [
        (reason.replace("_", " "), "candidates", count)
        for reason, count in reasons.most_common(_MOST_REASONS)
    ]
    return stack("Why candidates were turned down", rows, axis="candidates")


def stack(title: str, rows: Iterable[tuple[str, str, int]], *, axis: str) -> Chart | None:
    """Draw counts (row, part, count) as stacked bars; `None` if there is nothing to count."""
    found = [(row, part, count) for row, part, count in rows if count]
    if not found:
        return None
    by_row: dict[str, list[str]] = {}
    for row, part, count in found:
        by_row.setdefault(row, []).append(f"{part} {count}")
    told = "; ".join(f"{row}: {', '.join(parts)}" for row, parts in by_row.items())
    return Chart(
        kind="stack",
        title=title,
        rows=tuple({"row": row, "part": part, "value": count} for row, part, count in found),
        series=tuple(dict.fromkeys(part for _, part, _ in found)),
        axes=(axis,),
        options={},
        told=f"{title}, {axis}: {told}.",
    )
