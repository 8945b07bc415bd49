"""A grading as a table; its numbers come with what they were computed over."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from uaeval.evaluation.metrics.graded import GRADED
from uaeval.report.tables import ReportTable, decimal, percent, percent_range, table_of

Row = Mapping[str, object]
_COUNTS = ("model", "condition", "n", "errors", "blocked", "PASS", "PARTIAL", "FAIL")


def grading_table(rows: Sequence[Row]) -> ReportTable:
    """Show each model in each condition; `rows` are those of the summary file."""
    columns: dict[str, Callable[[Row], str]] = {name: partial(_text, name) for name in _COUNTS}
    columns |= {
        "passed %": lambda row: percent(_number(row["pass_ratio"])),
        "95 %": _interval,
        **{metric.column[0]: partial(_mean, metric.name) for metric in GRADED if metric.column},
        "context used %": lambda row: percent(_number(row["rag_context_used_ratio"])),
        "format ok %": lambda row: percent(_number(row["format_ok_ratio"])),
    }
    return table_of(
        "Graded open answers",
        rows,
        columns,
        note=(
            "passed: of those that were answered and judged; a call that failed is an error, and "
            "no FAIL of this share."
        ),
        text=2,
    )


def _text(name: str, row: Row) -> str:
    return str(row[name])


def _mean(name: str, row: Row) -> str:
    return decimal(_number(row[name]))


def _interval(row: Row) -> str:
    mark = "" if row["pass_ratio_reliable"] else " ?"
    return percent_range(_number(row["pass_ratio_low"]), _number(row["pass_ratio_high"]), mark)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
