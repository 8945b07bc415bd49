"""What the models of a run were asked and what that cost, as a table and in one line."""

from collections.abc import Callable, Iterable, Sequence

from uaeval.llm.sizing import RoleForecast
from uaeval.report.tables import ReportTable
from uaeval.run_folder import ModelUsage

UNKNOWN = "unknown"
_COLUMNS = ("role", "model", "calls", "prompt\ntokens", "cached", "completion\ntokens", "cost $")
_COUNTED = ("calls", "prompt_tokens", "cached_tokens", "completion_tokens")
_NO_PRICE = "A cost is unknown without a price, or where the endpoint told no tokens: see --prices."


def usage_table(usage: Sequence[ModelUsage], count: int, unit: str) -> ReportTable:
    """Show calls, tokens and list-price cost by role; `count` of `unit` share the total."""
    rows = [_row(role.role, role.model, [role]) for role in usage]
    cost = total_cost(usage)
    share = f"{_shared(usage, cost, count)} per {unit}." if count else ""
    notes = (share, _troubles(usage), _NO_PRICE if cost is None else "")
    return ReportTable(
        title="Calls, tokens and cost",
        columns=_COLUMNS,
        rows=(*rows, _row("all", "", usage)) if rows else (),
        note=" ".join(part for part in notes if part),
        numbers=frozenset(_COLUMNS[2:]),
        totals=1 if rows else 0,
    )


def total_cost(usage: Iterable[ModelUsage]) -> float | None:
    """Sum the costs in US dollars; `None` if one of them is unknown."""
    return _sum(role.cost_usd for role in usage)


def money(dollars: float | None) -> str:
    """Write an amount in US dollars: to the cent from one dollar up, finer below."""
    if dollars is None:
        return UNKNOWN
    return f"{dollars:.2f}" if dollars >= 1 else f"{dollars:.4f}"


def _row(role: str, model: str, usage: Sequence[ModelUsage]) -> tuple[str, ...]:
    return (
        role,
        model,
        *(f"{sum(getattr(role, name) for role in usage):,}" for name in _COUNTED),
        money(total_cost(usage)),
    )


def _shared(usage: Sequence[ModelUsage], cost: float | None, count: int) -> str:
    calls = sum(role.calls for role in usage) / count
    tokens = sum(role.prompt_tokens for role in usage) / count
    paid = "unknown cost" if cost is None else f"${money(cost / count)}"
    return f"{paid}, {calls:.2f} calls and {tokens:,.0f} prompt tokens"


def _troubles(usage: Sequence[ModelUsage]) -> str:
    """Return how many calls were retries, met a rate limit or timed out; empty if none did."""
    counted = ("retries", "rate_limited", "timeouts")
    retries, limited, timeouts = (sum(getattr(role, name) for role in usage) for name in counted)
    if not (retries or limited or timeouts):
        return ""
    return f"Of the calls {retries:,} were retries, {limited:,} met a 429, {timeouts:,} timed out."


def forecast_table(title: str, ends: Sequence[Sequence[RoleForecast]], note: str) -> ReportTable:
    """Show what each role is expected to take; `ends` are the amounts at both ends of the range."""
    columns = (*_COLUMNS[:4], *_COLUMNS[5:])
    roles = list(zip(*ends, strict=True))
    rows = [(one[0].role, one[0].model, *_spans([[amount] for amount in one])) for one in roles]
    rows += [("all", "", *_spans(ends))] if rows else []
    unknown = any(amount.cost is None for end in ends for amount in end)
    return ReportTable(
        title=title,
        columns=columns,
        rows=tuple(rows),
        note=" ".join(part for part in (note, _NO_PRICE if unknown else "") if part),
        numbers=frozenset(columns[2:]),
        totals=1 if rows else 0,
    )


def _spans(ends: Sequence[Sequence[RoleForecast]]) -> tuple[str, ...]:
    """Write calls, prompt tokens, completion tokens and cost, each from the least to the most."""
    calls = [sum(amount.calls for amount in end) for end in ends]
    prompts = [sum(amount.prompt_tokens for amount in end) for end in ends]
    completions = [sum(amount.completion_tokens for amount in end) for end in ends]
    costs = [_sum(amount.cost for amount in end) for end in ends]
    known = sorted(cost for cost in costs if cost is not None)
    paid = _span(money, known) if len(known) == len(costs) else UNKNOWN
    counts = (_span(_rounded, sorted(each)) for each in (calls, prompts, completions))
    return (*counts, paid)


def _rounded(number: float) -> str:
    """Write an expected number: exact below 10,000, then in thousands and millions."""
    if number < 10_000:
        return f"{number:,.0f}"
    return f"{number / 1e3:.0f}k" if number < 1e6 else f"{number / 1e6:.2f}M"


def _span(write: Callable[[float], str], ordered: Sequence[float]) -> str:
    first, last = write(ordered[0]), write(ordered[-1])
    return first if first == last else f"{first}–{last}"


def _sum(costs: Iterable[float | None]) -> float | None:
    amounts = list(costs)
    known = [cost for cost in amounts if cost is not None]
    return sum(known) if len(known) == len(amounts) else None
