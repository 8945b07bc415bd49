"""A grading as a table; its numbers come with what they were computed over."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from uaeval.evaluation.metrics.graded import GRADED
from uaeval.report.tables import ReportTable, decimal, percent, percent_range, table_of

Row: TypeAlias = Mapping[str, Any]
_COUNTS = ("model", "condition", "n", "errors", "blocked", "PASS", "PARTIAL", "FAIL")


def grading_table(rows: Sequence[Row]) -> ReportTable:
    """Show each model in each condition; `rows` are those of the summary file."""
    columns: dict[str, Callable[[Row], str]] = {name: _written(str, name) for name in _COUNTS}
    columns |= {"passed %": _written(percent, "pass_ratio"), "95 %": _interval}
    for metric in GRADED:
        if metric.column:
            columns[metric.column[0]] = _written(decimal, metric.name)
    columns["context used %"] = _written(percent, "rag_context_used_ratio")
    columns["format ok %"] = _written(percent, "format_ok_ratio")
    note = (
        "passed: of those that were answered and judged; a call that failed is an error, and no "
        "FAIL of this share."
    )
    return table_of("Graded open answers", rows, columns, note=note, text=2)


def _written(write: Callable[[Any], str], name: str) -> Callable[[Row], str]:
    return lambda row: write(row[name])


def _interval(row: Row) -> str:
    mark = "" if row["pass_ratio_reliable"] else " ?"
    return percent_range(row["pass_ratio_low"], row["pass_ratio_high"], mark)
