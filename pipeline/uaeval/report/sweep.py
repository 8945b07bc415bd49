"""The table of a sweep: cells by joint score, and which are significantly better than which."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from uaeval.categories.names import category_names
from uaeval.evaluation.compare import Comparison
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.labels.label_files import csv_text
from uaeval.evaluation.metrics.spec import MetricSpec
from uaeval.evaluation.metrics.standard import ACCEPTABLE, JOINT, STANDARD
from uaeval.evaluation.statistics.paired import LEVEL
from uaeval.records import Score
from uaeval.report.costs import usage_table
from uaeval.report.markdown import document
from uaeval.report.tables import (
    NOTHING,
    UNRELIABLE_NOTE,
    ReportTable,
    coverage,
    find,
    interval,
    percent,
    spaced,
    stopped_text,
)
from uaeval.run_folder import ModelUsage
from uaeval.storage import write_json, write_text

_METRICS = tuple(metric for metric in STANDARD if metric.headline and metric is not JOINT)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedCell:
    """One cell with what it reached."""

    evaluation: Evaluation
    values: Mapping[str, str]
    """By axis of the grid."""

    @property
    def name(self) -> str:
        """The name of its evaluation."""
        return self.evaluation.name

    @property
    def joint(self) -> Score | None:
        """Its joint score; `None` if there was nothing to compute it from."""
        return find(self.evaluation.scores, JOINT)

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
    axes = [axis for axis in ranked[0].values if len({cell.values[axis] for cell in ranked}) > 1]
    numbers = {cell.name: number for number, cell in enumerate(ranked, 1)}
    rows = [_row(cell, axes, numbers, comparisons, brief) for cell in ranked]
    tested = sum(each.p_value is not None for each in comparisons)
    return ReportTable(
        title="Cells by joint score",
        columns=tuple(rows[0]),
        rows=tuple(tuple(row.values()) for row in rows),
        note=(
            f"better than: the cells whose joint score is significantly lower (below {LEVEL:g} by "
            f"the paired bootstrap over documents, after Holm's correction for all {tested} "
            f"comparisons); other differences may be chance. {UNRELIABLE_NOTE}"
            + _stopped_note(ranked, numbers)
        ),
        numbers=frozenset(rows[0]) - {*axes, "better than"},
    )


def category_table(ranked: Sequence[RankedCell]) -> ReportTable:
    """Show the acceptable ratio of each cell by category, the cells in their order."""
    names = ranked[0].values
    axes = [axis for axis in names if len({cell.values[axis] for cell in ranked}) > 1]
    rows = [
        (
            str(number),
            *(cell.values[axis] for axis in axes),
            *(percent(value) for value in _by_category(cell).values()),
        )
        for number, cell in enumerate(ranked, 1)
    ]
    categories = tuple(map(spaced, category_names()))
    return ReportTable(
        title="Acceptable ratio by category, %",
        columns=("#", *axes, *categories),
        rows=tuple(rows),
        note="Over the queries of each category that were judged; intervals stand in the reports.",
        numbers=frozenset({"#", *categories}),
    )


def _by_category(cell: RankedCell) -> dict[str, float | None]:
    """Return the acceptable ratio by category; `None` for a category without a judged query."""
    found = {name: find(cell.evaluation.scores, ACCEPTABLE, name) for name in category_names()}
    return {name: score.value if score else None for name, score in found.items()}


def _stopped_note(ranked: Sequence[RankedCell], numbers: Mapping[str, int]) -> str:
    """Name the cells of which some responses show the RAG without one of its parts."""
    parts = [
        f"{numbers[cell.name]} ({stopped})"
        for cell in ranked
        if (stopped := stopped_text(cell.evaluation.manifest.stopped_parts))
    ]
    return f" Cells with parts of the RAG that did nothing: {'; '.join(parts)}." if parts else ""


def _row(
    cell: RankedCell,
    axes: Sequence[str],
    numbers: Mapping[str, int],
    comparisons: Sequence[Comparison],
    brief: bool,
) -> dict[str, str]:
    joint = cell.joint
    beside = {f"{metric.short} %": percent(_value(cell, metric)) for metric in _METRICS}
    beside["coverage %"] = coverage(joint) if joint else NOTHING
    worse = sorted(numbers[name] for name in better_than(cell.name, comparisons))
    return {
        "#": str(numbers[cell.name]),
        **{axis: cell.values[axis] for axis in axes},
        "joint %": percent(joint.value if joint else None),
        "95 % interval": interval(joint) if joint else NOTHING,
        **({} if brief else beside),
        "better than": ranges(worse) or NOTHING,
    }


def better_than(name: str, comparisons: Sequence[Comparison]) -> frozenset[str]:
    """Return the runs that `name` is significantly better than."""
    worse = set[str]()
    for comparison in comparisons:
        runs = (comparison.first_run, comparison.second_run)
        if name in runs and comparison.significant and comparison.difference is not None:
            second_is_better = comparison.difference > 0
            if name == runs[second_is_better]:
                worse.add(runs[not second_is_better])
    return frozenset(worse)


def ranges(numbers: Sequence[int]) -> str:
    """Write ascending numbers shortly: `2, 5-9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _value(cell: RankedCell, metric: MetricSpec) -> float | None:
    score = find(cell.evaluation.scores, metric)
    return score.value if score else None


def write_sweep(
    folder: Path,
    axes: Mapping[str, Sequence[object]],
    ranked: Sequence[RankedCell],
    comparisons: Sequence[Comparison],
    usage: Sequence[ModelUsage],
) -> None:
    """Write `table.md`, `cells.csv`, `differences.csv` and `sweep.json`."""
    table = document(
        "sweep.md.jinja",
        name=folder.name,
        axes=axes,
        cells=sweep_table(ranked, comparisons),
        categories=category_table(ranked),
        ranked=ranked,
        usage=usage_table(usage, len(ranked), "cell"),
    )
    write_text(folder / "table.md", table)
    write_text(folder / "cells.csv", _cells_csv(ranked, comparisons))
    write_text(folder / "differences.csv", _differences_csv(comparisons))
    write_json(
        folder / "sweep.json",
        {
            "grid": {axis: list(values) for axis, values in axes.items()},
            "cells": [
                {
                    "name": cell.name,
                    "values": dict(cell.values),
                    "joint_score": asdict(cell.joint) if cell.joint else None,
                    **_counts(cell),
                    "stopped_parts": cell.evaluation.manifest.stopped_parts,
                }
                for cell in ranked
            ],
            "usage": [role.model_dump(mode="json") for role in usage],
        },
    )


def _counts(cell: RankedCell) -> dict[str, int]:
    manifest = cell.evaluation.manifest
    counts = {"failures": manifest.failures, "undecided": manifest.undecided}
    return {name: sum(by.values()) for name, by in counts.items()}


def _cells_csv(ranked: Sequence[RankedCell], comparisons: Sequence[Comparison]) -> str:
    rows = [
        {
            "place": number,
            "cell": cell.name,
            **cell.values,
            "joint_score": cell.joint.value if cell.joint else None,
            **{name: getattr(cell.joint, name, None) for name in ("low", "high", "reliable")},
            **{metric.name: _value(cell, metric) for metric in _METRICS},
            **{f"acceptable_ratio.{name}": value for name, value in _by_category(cell).items()},
            **_counts(cell),
            "stopped_parts": stopped_text(cell.evaluation.manifest.stopped_parts),
            "better_than": " ".join(sorted(better_than(cell.name, comparisons))),
        }
        for number, cell in enumerate(ranked, 1)
    ]
    return csv_text(rows[0], rows) if rows else ""


def _differences_csv(comparisons: Sequence[Comparison]) -> str:
    rows = [
        {
            "first": each.first_run,
            "second": each.second_run,
            "difference": each.difference,
            "low": each.interval.low if each.interval else None,
            "high": each.interval.high if each.interval else None,
            "p": each.p_value,
            "p_holm": each.adjusted,
            "significant": each.significant,
            "pairs": each.pairs,
            "left_out": each.left_out,
        }
        for each in comparisons
    ]
    return csv_text(rows[0], rows) if rows else ""
