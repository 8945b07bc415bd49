"""What the models of a run were asked and what that cost, as tables."""

from collections.abc import Callable, Iterable, Sequence

from uaeval.llm.sizing import RoleForecast
from uaeval.report.tables import UNKNOWN, ReportTable, declared_table, money
from uaeval.run_folder import ModelUsage

_COUNTED = (
    "calls prompt_tokens cached_tokens completion_tokens retries rate_limited timeouts".split()
)
_FORECAST = ("calls", "prompt_tokens", "completion_tokens")


def usage_table(usage: Sequence[ModelUsage], count: int, unit: str) -> ReportTable:
    """Show calls, tokens and list-price cost by role; `count` of `unit` share the total."""
    total = _used("all", "", usage)
    rows = [_used(role.role, role.model, [role]) for role in usage]
    rows += [total] if rows else []
    return declared_table("usage", rows, totals=len(rows[:1]), total=total, count=count, unit=unit)


def _used(role: str, model: str, usage: Sequence[ModelUsage]) -> dict[str, object]:
    counts = {name: sum(getattr(used, name) for used in usage) for name in _COUNTED}
    cost = _sum(used.cost_usd for used in usage)
    return {"role": role, "model": model, "cost": cost, **counts}


def forecast_table(title: str, ends: Sequence[Sequence[RoleForecast]], note: str) -> ReportTable:
    """Show what each role is expected to take; `ends` are the amounts at both ends of the range.

    Amounts of the same role and model, which are those of several cells, are summed.
    """
    parts: dict[tuple[str, str], list[list[RoleForecast]]] = {}
    for number, end in enumerate(ends):
        for amount in end:
            part = parts.setdefault((amount.role, amount.model), [[] for _ in ends])
            part[number].append(amount)
    rows = [_expected(role, model, part) for (role, model), part in parts.items()]
    rows += [_expected("all", "", ends)] if rows else []
    unknown = any(amount.cost is None for end in ends for amount in end)
    return declared_table(
        "forecast", rows, totals=len(rows[:1]), title=title, note=note, unknown=unknown
    )


def _expected(role: str, model: str, ends: Sequence[Sequence[RoleForecast]]) -> dict[str, object]:
    """Write calls, tokens and cost of a role, each from the least to the most."""
    costs = [_sum(amount.cost for amount in end) for end in ends]
    known = [cost for cost in costs if cost is not None]
    spans = {
        name: _span(_rounded, [sum(getattr(amount, name) for amount in end) for end in ends])
        for name in _FORECAST
    }
    cost = _span(money, known) if len(known) == len(costs) else UNKNOWN
    return {"role": role, "model": model, "cost": cost, **spans}


def _rounded(number: float) -> str:
    """Write an expected number: exact below 10,000, then in thousands and millions."""
    if number < 10_000:
        return f"{number:,.0f}"
    return f"{number / 1e3:.0f}k" if number < 1e6 else f"{number / 1e6:.2f}M"


def _span(write: Callable[[float], str], numbers: Sequence[float]) -> str:
    first, last = write(min(numbers)), write(max(numbers))
    return first if first == last else f"{first}–{last}"


def _sum(costs: Iterable[float | None]) -> float | None:
    """Sum the costs in US dollars; `None` if one of them is unknown."""
    amounts = list(costs)
    known = [cost for cost in amounts if cost is not None]
    return sum(known) if len(known) == len(amounts) else None
