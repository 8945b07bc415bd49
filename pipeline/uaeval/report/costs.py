"""Tables of calls, tokens and cost of a run, and of their forecast."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from uaeval.llm.prices import total_cost
from uaeval.llm.sizing import RoleForecast
from uaeval.report.tables import ReportTable, declared_table, money
from uaeval.run_folder import ModelUsage

_COUNTED = (
    "calls prompt_tokens cached_tokens completion_tokens retries rate_limited timeouts".split()
)


def usage_table(usage: Sequence[ModelUsage], count: int, unit: str) -> ReportTable:
    """Return a table of calls, tokens and cost by role; the note divides by `count` of `unit`."""
    total = _used("all", "", usage)
    rows = [_used(role.role, role.model, [role]) for role in usage]
    rows += [total] if rows else []
    return declared_table("usage", rows, total=total, count=count, unit=unit)


def _used(role: str, model: str, usage: Sequence[ModelUsage]) -> dict[str, object]:
    counts = {name: sum(getattr(used, name) for used in usage) for name in _COUNTED}
    cost = total_cost(used.cost_usd for used in usage)
    return {"role": role, "model": model, "cost": cost, **counts}


def forecast_table(title: str, ends: Sequence[Sequence[RoleForecast]], note: str) -> ReportTable:
    """Return a table of the forecast by role, given the forecasts at both `ends` of the range.

    Forecasts of the same role and model, in several cells of a sweep, are summed.
    """
    rows = [
        _expected(*key, [[part for part in end if (part.role, part.model) == key] for end in ends])
        for key in dict.fromkeys((amount.role, amount.model) for end in ends for amount in end)
    ]
    rows += [_expected("all", "", ends)] if rows else []
    unknown = any(amount.cost is None for end in ends for amount in end)
    return declared_table("forecast", rows, title=title, note=note, unknown=unknown)


def _expected(role: str, model: str, ends: Sequence[Sequence[RoleForecast]]) -> dict[str, object]:
    """Return calls, tokens and cost of a role as text, each from minimum to maximum."""
    costs = [total_cost(amount.cost for amount in end) for end in ends]
    spans = {
        name: _span(_rounded, [sum(getattr(amount, name) for amount in end) for end in ends])
        for name in ("calls", "prompt_tokens", "completion_tokens")
    }
    return {"role": role, "model": model, "cost": _span(_to_the_cent, costs), **spans}


def _rounded(number: float) -> str:
    """Return a number as text: exact below 10,000, then in thousands and millions."""
    if number < 10_000:
        return f"{number:,.0f}"
    return f"{number / 1e3:.0f}k" if number < 1e6 else f"{number / 1e6:.2f}M"


def _to_the_cent(dollars: float | None) -> str:
    """Return an expected amount in US dollars: to the cent, or with four decimals below one."""
    return f"{dollars:.2f}" if dollars and dollars >= 0.01 else money(dollars)


def _span(write: Callable[[Any], str], numbers: Iterable[float | None]) -> str:
    ends = dict.fromkeys(map(write, sorted(numbers, key=lambda number: number or 0.0)))
    return "–".join(ends)
