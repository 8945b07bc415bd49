"""The table of a sweep: cells by joint score, and which are significantly better than which."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from uaeval.evaluation.compare import Comparison
from uaeval.evaluation.labels.label_files import csv_text
from uaeval.evaluation.metrics.spec import MetricSpec
from uaeval.evaluation.metrics.standard import JOINT, STANDARD
from uaeval.evaluation.ranking import better_than
from uaeval.evaluation.statistics.paired import LEVEL
from uaeval.report.costs import usage_table
from uaeval.report.markdown import document, markdown_tables
from uaeval.report.tables import (
    NOTHING,
    UNRELIABLE_NOTE,
    ReportTable,
    coverage,
    find,
    interval,
    percent,
    stopped_text,
)
from uaeval.report.text import markdown
from uaeval.run_folder import ModelUsage
from uaeval.storage import write_json, write_text
from uaeval.types import Score

_METRICS = tuple(metric for metric in STANDARD if metric.headline and metric is not JOINT)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedCell:
    """One cell with what it reached."""

    name: str
    """Of its folder below `evaluations/`."""
    values: Mapping[str, str]
    """By axis of the grid."""
    scores: tuple[Score, ...]
    failures: int
    undecided: int
    """What the judge could not tell."""
    stopped_parts: Mapping[str, int]
    """Responses for which a part of the RAG did nothing, by part and reason."""

    @property
    def joint(self) -> Score | None:
        """Its joint score; `None` if there was nothing to compute it from."""
        return find(self.scores, JOINT)

    def place(self) -> tuple[float, str]:
        """Sort by joint score, the best first; cells without one come last."""
        value = self.joint.value if self.joint else None
        return (math.inf if value is None else -value, self.name)


def sweep_table(
    ranked: Sequence[RankedCell], comparisons: Sequence[Comparison], *, brief: bool = False
) -> ReportTable:
    """Show the cells in their order; only the axes that vary have a column.

    A brief one has the joint score alone, and fits a terminal.
    """
    axes = [axis for axis in ranked[0].values if len({one.values[axis] for one in ranked}) > 1]
    numbers = {one.name: number for number, one in enumerate(ranked, 1)}
    beside = () if brief else tuple(f"{metric.short} %" for metric in _METRICS)
    figures = ("joint %", "95 % interval", *beside, *(() if brief else ("coverage %",)))
    columns = ("#", *axes, *figures, "better than")
    tested = sum(one.p_value is not None for one in comparisons)
    return ReportTable(
        title="Cells by joint score",
        columns=columns,
        rows=tuple(_row(one, axes, numbers, comparisons, brief) for one in ranked),
        note=(
            f"better than: the cells whose joint score is significantly lower (below {LEVEL:g} by "
            f"the paired bootstrap over documents, after Holm's correction for all {tested} "
            f"comparisons); other differences may be chance. {UNRELIABLE_NOTE}"
            + _stopped_note(ranked, numbers)
        ),
        numbers=frozenset({"#", *figures}),
    )


def _stopped_note(ranked: Sequence[RankedCell], numbers: Mapping[str, int]) -> str:
    """Name the cells of which some responses show the RAG without one of its parts."""
    told = [
        f"{numbers[one.name]} ({stopped_text(one.stopped_parts)})"
        for one in ranked
        if one.stopped_parts
    ]
    return f" Cells with parts of the RAG that did nothing: {'; '.join(told)}." if told else ""


def _row(
    one: RankedCell,
    axes: Sequence[str],
    numbers: Mapping[str, int],
    comparisons: Sequence[Comparison],
    brief: bool,
) -> tuple[str, ...]:
    joint = one.joint
    beside = [percent(_value(one, metric)) for metric in _METRICS]
    beside += [coverage(joint) if joint else NOTHING]
    worse = sorted(numbers[name] for name in better_than(one.name, comparisons))
    return (
        str(numbers[one.name]),
        *(one.values[axis] for axis in axes),
        percent(joint.value if joint else None),
        interval(joint) if joint else NOTHING,
        *(() if brief else beside),
        ranges(worse) or NOTHING,
    )


def ranges(numbers: Sequence[int]) -> str:
    """Write ascending numbers shortly: `2, 5-9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _value(one: RankedCell, metric: MetricSpec) -> float | None:
    score = find(one.scores, metric)
    return score.value if score else None


def write_sweep(
    folder: Path,
    axes: Mapping[str, Sequence[object]],
    ranked: Sequence[RankedCell],
    comparisons: Sequence[Comparison],
    usage: Sequence[ModelUsage],
) -> None:
    """Write `table.md`, `cells.csv`, `differences.csv` and `sweep.json`."""
    blocks = [
        "\n".join(
            f"- {axis}: {markdown(', '.join(map(str, values)))}" for axis, values in axes.items()
        ),
        *markdown_tables([sweep_table(ranked, comparisons)], level=2),
        "## Folders",
        "\n".join(
            f"{number}. evaluations/{markdown(cell.name)}" for number, cell in enumerate(ranked, 1)
        ),
        *markdown_tables([usage_table(usage, len(ranked), "cell")], level=2),
    ]
    write_text(folder / "table.md", document(f"Sweep {markdown(folder.name)}", blocks))
    write_text(folder / "cells.csv", _cells_csv(ranked, comparisons))
    write_text(folder / "differences.csv", _differences_csv(comparisons))
    write_json(
        folder / "sweep.json",
        {
            "grid": {axis: list(values) for axis, values in axes.items()},
            "cells": [
                {
                    "name": one.name,
                    "values": dict(one.values),
                    "joint_score": asdict(one.joint) if one.joint else None,
                    "failures": one.failures,
                    "undecided": one.undecided,
                    "stopped_parts": dict(one.stopped_parts),
                }
                for one in ranked
            ],
            "usage": [one.model_dump(mode="json") for one in usage],
        },
    )


def _cells_csv(ranked: Sequence[RankedCell], comparisons: Sequence[Comparison]) -> str:
    rows = [
        {
            "place": number,
            "cell": one.name,
            **one.values,
            "joint_score": one.joint.value if one.joint else None,
            **{name: getattr(one.joint, name, None) for name in ("low", "high", "reliable")},
            **{metric.name: _value(one, metric) for metric in _METRICS},
            "failures": one.failures,
            "undecided": one.undecided,
            "stopped_parts": stopped_text(one.stopped_parts),
            "better_than": " ".join(sorted(better_than(one.name, comparisons))),
        }
        for number, one in enumerate(ranked, 1)
    ]
    return csv_text(rows[0], rows) if rows else ""


def _differences_csv(comparisons: Sequence[Comparison]) -> str:
    rows = [
        {
            "first": one.first_run,
            "second": one.second_run,
            "difference": one.difference,
            "low": one.interval.low if one.interval else None,
            "high": one.interval.high if one.interval else None,
            "p": one.p_value,
            "p_holm": one.adjusted,
            "significant": one.significant,
            "pairs": one.pairs,
            "left_out": one.left_out,
        }
        for one in comparisons
    ]
    return csv_text(rows[0], rows) if rows else ""
