"""What a grading found, as a table; its numbers come with what they were computed over."""

from collections.abc import Mapping, Sequence

from uaeval.report.tables import NOTHING, ReportTable, decimal, percent

_NUMBERS = frozenset(
    {
        "n",
        "errors",
        "blocked",
        "PASS",
        "PARTIAL",
        "FAIL",
        "passed %",
        "95 %",
        "correctness",
        "relevancy",
        "context used %",
        "format ok %",
    }
)


def summary_sheet(rows: Sequence[Mapping[str, object]]) -> ReportTable:
    """Show each model in each condition; `rows` are those of the summary file."""
    columns = ("model", "condition", "n", "errors", "blocked", "PASS", "PARTIAL", "FAIL")
    more = ("passed %", "95 %", "correctness", "relevancy", "context used %", "format ok %")
    return ReportTable(
        title="Graded open answers",
        columns=(*columns, *more),
        rows=tuple(
            (
                *(str(row[name]) for name in columns),
                percent(_number(row["pass_ratio"])),
                _interval(row),
                decimal(_number(row["correctness"])),
                decimal(_number(row["answer_relevancy"])),
                percent(_number(row["rag_context_used_ratio"])),
                percent(_number(row["format_ok_ratio"])),
            )
            for row in rows
        ),
        note=(
            "passed: of those that were answered and judged; a call that failed is an error, and "
            "no FAIL of this share."
        ),
        numbers=_NUMBERS,
    )


def _interval(row: Mapping[str, object]) -> str:
    low, high = _number(row["pass_ratio_low"]), _number(row["pass_ratio_high"])
    if low is None or high is None:
        return NOTHING
    mark = "" if row["pass_ratio_reliable"] else " ?"
    return f"{percent(low)}–{percent(high)}{mark}"


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
