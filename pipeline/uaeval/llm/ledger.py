"""Count the calls, tokens and cost of a run in its response store, and enforce their limits."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from uaeval.config.calls import Limits
from uaeval.errors import ConfigError, LimitReached, RunAborted
from uaeval.llm.prices import PriceTable, total_cost
from uaeval.llm.store import ResponseStore
from uaeval.llm.usage import Usage, collect_usage


class LedgerEntry(Usage, frozen=True):
    """The calls to one model under one prompt, over all sessions."""

    model: str
    prompt: str
    batch: bool


def write_usage(
    store: ResponseStore, model: str, prompt: str, usage: Usage, *, batch: bool = False
) -> None:
    """Add usage to the entry of a model and prompt in `store`."""
    row = {"model": model, "prompt": prompt, "batch": int(batch), **dict(usage)}
    sums = ", ".join(f"{name} = {name} + excluded.{name}" for name in Usage.model_fields)
    store.execute(
        f"INSERT INTO usage ({', '.join(row)}) VALUES ({', '.join('?' * len(row))}) "
        f"ON CONFLICT DO UPDATE SET {sums}",
        *row.values(),
    )


@dataclass(eq=False)
class Ledger:
    """Counts every paid call of a run, and aborts the run at its limits."""

    store: ResponseStore
    prices: PriceTable
    limits: Limits = field(default_factory=Limits)
    _in_flight: int = field(default=0, init=False)

    def entries(self) -> tuple[LedgerEntry, ...]:
        """Return the usage so far, by model and prompt."""
        return self.store.select(LedgerEntry, "usage ORDER BY model, prompt, batch")

    def cost(self, *entries: LedgerEntry) -> float | None:
        """Return the cost of the entries in US dollars; `None` if it is unknown."""
        return total_cost(
            None if entry.without_usage else self.prices.cost(entry.model, entry, batch=entry.batch)
            for entry in entries
        )

    def require_price(self, model: str) -> None:
        """Raise `ConfigError` if the cost is limited and the model has no price."""
        if self.limits.max_cost is not None and self.prices.price(model) is None:
            raise ConfigError(
                f"max_cost: the price of {model} is unknown; give it with --prices FILE, "
                "or limit the calls with --max-calls"
            )

    @contextmanager
    def metered(self, model: str, prompt: str) -> Iterator[None]:
        """Record the calls made inside for one request, also after an error.

        They are synced to the disk together with the reply. Raise `LimitReached` if no further call
        may start.
        """
        self._stop_at_limit()
        self._in_flight += 1
        try:
            with collect_usage() as used:
                yield
        finally:
            self._in_flight -= 1
            if used:
                with self.store.unsynced():
                    write_usage(self.store, model, prompt, sum(used, Usage()))

    def _stop_at_limit(self) -> None:
        most_calls, most_dollars = self.limits.max_calls, self.limits.max_cost
        if most_calls is None and most_dollars is None:
            return
        entries = self.entries()
        used, paid = sum(entries, Usage()), self.cost(*entries)
        if most_calls is not None and used.calls + self._in_flight >= most_calls:
            limit = f"{most_calls} calls (--max-calls)"
        elif most_dollars is None:
            return
        elif paid is None:
            raise RunAborted(
                "The endpoint does not report how many tokens a call took, so --max-cost cannot be "
                "kept; use --max-calls instead."
            )
        elif paid + self._in_flight * paid / (used.first_attempts or 1) >= most_dollars:
            limit = f"${most_dollars:g} (--max-cost)"
        else:
            return
        cost = "their cost is unknown" if paid is None else f"${paid:.4f} spent"
        raise LimitReached(
            f"The limit of {limit} is reached: {used.calls} calls ended, {cost}, "
            f"{self._in_flight} more under way; raise it to continue."
        )
