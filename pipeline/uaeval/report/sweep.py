"""The tables of a sweep: cells by joint score, with significant differences."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from uaeval.categories.names import category_names
from uaeval.evaluation.compare import Comparison
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.registry import ACCEPTABLE, HEADLINE, JOINT
from uaeval.evaluation.metrics.spec import MetricSpec, value_at
from uaeval.evaluation.statistics.significance import LEVEL
from uaeval.records import Score
from uaeval.report.costs import usage_table
from uaeval.report.markdown import document
from uaeval.report.tables import ReportTable, declared_table, find, stopped_text, value_of
from uaeval.run_folder import ModelUsage
from uaeval.storage import csv_text, write_json, write_text

_METRICS = HEADLINE[1:]
_DIFFERENCES = {
    **{"first": "first_run", "second": "second_run", "difference": "difference"},
    **{"low": "interval.low", "high": "interval.high", "p": "p_value", "p_holm": "adjusted"},
    **{name: name for name in ("significant", "pairs", "left_out")},
}
"""The columns of `differences.csv`, with the path of each value in a comparison."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedCell:
    """One cell with its evaluation."""

    evaluation: Evaluation
    values: Mapping[str, str]
    """Values by axis of the grid."""

    @property
    def joint(self) -> Score | None:
        """The joint score; `None` if there is none."""
        return find(self.evaluation.scores, JOINT)

    def place(self) -> tuple[float, str]:
        """Return a sort key by descending joint score; cells without one are last."""
        value = self.value(JOINT)
        return (math.inf if value is None else -value, self.evaluation.name)

    def value(self, metric: MetricSpec, group: str | None = None) -> float | None:
        """Return the value of a metric; `None` if nothing was judged."""
        return value_of(self.evaluation.scores, metric, group)


def sweep_tables(
    ranked: Sequence[RankedCell], comparisons: Sequence[Comparison], *, brief: bool = False
) -> tuple[ReportTable, ...]:
    """Return a table of the cells in their order, and one of acceptable ratios by category.

    Only axes with several values have a column. A brief table has only the joint score, and fits
    a terminal.
    """
    numbers = {cell.evaluation.name: number for number, cell in enumerate(ranked, 1)}
    axes = [axis for axis in ranked[0].values if len({cell.values[axis] for cell in ranked}) > 1]
    cells = declared_table(
        "cells",
        ranked,
        axes=axes,
        brief=brief,
        metrics=_METRICS,
        numbers=numbers,
        better_than={
            each: ranges(sorted(numbers[name] for name in better_than(each, comparisons)))
            for each in numbers
        },
        tested=sum(each.p_value is not None for each in comparisons),
        level=LEVEL,
    )
    by_category = declared_table(
        "cells_by_category",
        ranked,
        numbers=numbers,
        axes=axes,
        categories=category_names(),
        acceptable=ACCEPTABLE,
    )
    return cells, by_category


def better_than(name: str, comparisons: Sequence[Comparison]) -> frozenset[str]:
    """Return the runs that `name` is significantly better than."""
    ordered = (
        (each.first_run, each.second_run)
        if each.difference > 0
        else (each.second_run, each.first_run)
        for each in comparisons
        if each.significant and each.difference is not None
    )
    return frozenset(worse for worse, better in ordered if better == name)


def ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers as ranges: `2, 5-9`."""
    groups = groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    runs = [[number for _, number in members] for _, members in groups]
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


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
        tables=sweep_tables(ranked, comparisons),
        ranked=ranked,
        usage=usage_table(usage, len(ranked), "cell"),
    )
    write_text(folder / "table.md", table)
    cells = [_cell_row(cell, comparisons) for cell in ranked]
    write_text(folder / "cells.csv", csv_text(cells[0], cells))
    rows = [
        {name: value_at(each, place) for name, place in _DIFFERENCES.items()}
        for each in comparisons
    ]
    write_text(folder / "differences.csv", csv_text(_DIFFERENCES, rows) if rows else "")
    grid = {axis: list(values) for axis, values in axes.items()}
    used = [role.model_dump(mode="json") for role in usage]
    write_json(folder / "sweep.json", {"grid": grid, "cells": cells, "usage": used})


def _cell_row(cell: RankedCell, comparisons: Sequence[Comparison]) -> dict[str, object]:
    manifest, joint = cell.evaluation.manifest, cell.joint
    return {
        "cell": cell.evaluation.name,
        **cell.values,
        "joint_score": cell.value(JOINT),
        **{name: getattr(joint, name, None) for name in ("low", "high", "n", "judged", "reliable")},
        **{metric.name: cell.value(metric) for metric in _METRICS},
        **{f"acceptable_ratio.{name}": cell.value(ACCEPTABLE, name) for name in category_names()},
        "failures": sum(manifest.failures.values()),
        "undecided": sum(manifest.undecided.values()),
        "stopped_parts": stopped_text(manifest.stopped_parts),
        "better_than": " ".join(sorted(better_than(cell.evaluation.name, comparisons))),
    }
