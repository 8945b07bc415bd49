"""What a run's models were asked and what that cost, kept beside their replies; and its limits."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import chain, groupby

from uaeval.config import Limits
from uaeval.errors import ConfigError, RunAborted
from uaeval.llm.parameters import Usage
from uaeval.llm.prices import PriceTable
from uaeval.llm.store import ResponseStore


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """What one model was asked under one prompt, over all sessions."""

    model: str
    prompt: str
    batch: bool
    used: Usage


def write_usage(
    store: ResponseStore, model: str, prompt: str, used: Usage, *, batch: bool = False
) -> None:
    """Add calls to what `store` holds."""
    rows = [(model, prompt, int(batch), *amount) for amount in asdict(used).items() if amount[1]]
    store.execute(
        f"INSERT INTO usage VALUES {', '.join(['(?, ?, ?, ?, ?)'] * len(rows))} "
        "ON CONFLICT DO UPDATE SET amount = amount + excluded.amount",
        *chain.from_iterable(rows),
    )


class Ledger:
    """Counts every paid call of a run, and lets no further one start where a limit is reached."""

    def __init__(
        self, store: ResponseStore, prices: PriceTable, limits: Limits | None = None
    ) -> None:
        self._store = store
        self.prices = prices
        self._limits = limits or Limits()
        self._underway = 0
        self._halted = False

    def entries(self) -> tuple[LedgerEntry, ...]:
        """Return what was asked so far, by model and prompt."""
        rows = self._store.execute("SELECT * FROM usage ORDER BY model, prompt, batch")
        return tuple(
            LedgerEntry(
                model=str(model),
                prompt=str(prompt),
                batch=bool(batch),
                used=Usage(**{str(counted): int(amount or 0) for *_, counted, amount in parts}),
            )
            for (model, prompt, batch), parts in groupby(rows, key=lambda row: row[:3])
        )

    def cost(self, entry: LedgerEntry) -> float | None:
        """Return what an entry cost in US dollars, or `None` if that is unknown."""
        if entry.used.without_usage:
            return None
        return self.prices.cost(entry.model, entry.used, batch=entry.batch)

    def count(self, model: str, prompt: str, used: Usage) -> None:
        """Write down what one question was billed for; storing its reply waits for the disk."""
        if used != Usage():
            with self._store.unsynced():
                write_usage(self._store, model, prompt, used)

    def require_price(self, model: str) -> None:
        """Refuse a limit of cost for a model whose cost cannot be told.

        Raises:
            ConfigError: there is such a limit, and the model has no price.
        """
        if self._limits.max_cost is not None and self.prices.price(model) is None:
            raise ConfigError(
                f"max_cost: the price of {model} is unknown; give it with --prices FILE, "
                "or limit the calls with --max-calls"
            )

    def halt(self) -> None:
        """Let no further call start."""
        self._halted = True

    @contextmanager
    def call(self) -> Iterator[None]:
        """Let a call start and mark it as under way.

        Raises:
            RunAborted: a limit is reached, or the run is being stopped.
        """
        if self._halted:
            raise RunAborted("The run is being stopped.")
        self._stop_at_limit()
        self._underway += 1
        try:
            yield
        finally:
            self._underway -= 1

    def _stop_at_limit(self) -> None:
        if self._limits.max_calls is None and self._limits.max_cost is None:
            return
        entries = self.entries()
        calls = sum(entry.used.calls for entry in entries)
        most = self._limits.max_calls
        if most is not None and calls + self._underway >= most:
            raise RunAborted(
                f"The limit of {most} calls (--max-calls) is reached{self._spent(entries)}; "
                "raise it to go on."
            )
        if self._limits.max_cost is not None:
            asked = sum(entry.used.asked for entry in entries)
            self._stop_at_cost(self._limits.max_cost, entries, asked)

    def _stop_at_cost(self, most: float, entries: tuple[LedgerEntry, ...], asked: int) -> None:
        """Stop when what was paid, with the mean cost for each call under way, reaches `most`."""
        paid = self._total(entries)
        if paid is None:
            raise RunAborted(
                "The endpoint does not tell how many tokens a call took, so --max-cost cannot be "
                "kept; take --max-calls instead."
            )
        if paid + self._underway * (paid / asked if asked else 0) >= most:
            raise RunAborted(
                f"The limit of ${most:g} (--max-cost) is reached{self._spent(entries)}; "
                "raise it to go on."
            )

    def _total(self, entries: tuple[LedgerEntry, ...]) -> float | None:
        costs = [self.cost(entry) for entry in entries]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None

    def _spent(self, entries: tuple[LedgerEntry, ...]) -> str:
        calls = sum(entry.used.calls for entry in entries)
        paid = self._total(entries)
        cost = "their cost is unknown" if paid is None else f"${paid:.4f} spent"
        return f": {calls} calls ended, {cost}, {self._underway} more under way"
