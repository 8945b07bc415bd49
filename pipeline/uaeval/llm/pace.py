"""How fast one model is called: its rate limits, how many calls at once, and the pauses asked for.

Every attempt at a call takes a turn here first. Shared by all that call the same model.
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import Final

import anyio

_MINUTE: Final = 61.0
"""Seconds; one more than there are, since an endpoint counts arrivals, and these jitter."""
_CREDIT: Final = 0.1
"""Seconds by which a turn that came late may bring the next one forward."""
_STEPS: Final = 16
"""In so many rounds of successes the concurrency grows from one to its maximum."""
_FIRST_KNOCK: Final = 0.5
_LAST_KNOCK: Final = 5.0
"""Seconds between attempts to reach an endpoint that is not there, at first and at the most."""
_TYPICAL_REPLY: Final = 300
"""Tokens."""
_BYTES_PER_TOKEN: Final = 4


def tokens_needed(texts: Iterable[str], max_tokens: int | None) -> int:
    """Estimate the tokens of a call: prompt by its length, and the longest or a typical reply."""
    prompt = sum(len(text.encode(errors="replace")) for text in texts) // _BYTES_PER_TOKEN
    return prompt + (max_tokens or _TYPICAL_REPLY)


class _Allowance:
    """So many units a minute, spent evenly: each spending puts the next one off."""

    def __init__(self, per_minute: int | None) -> None:
        self._seconds_each = _MINUTE / per_minute if per_minute else 0.0
        self.free_at = 0.0

    def spend(self, units: int, now: float) -> None:
        self.free_at = max(self.free_at, now - _CREDIT) + units * self._seconds_each

    def correct(self, units: int) -> None:
        """Spend some more, or give some back, after the event."""
        self.free_at += units * self._seconds_each


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Leave to send one request."""

    started: float
    tokens: int
    """What it is thought to need, and was charged with."""


class Pace:
    """Gives turns to the calls of one model, as fast as its limits and its endpoint bear.

    Concurrency is halved when the endpoint is overloaded and grows again with every success
    (AIMD), up to its maximum.
    """

    def __init__(
        self,
        *,
        concurrency: int = 8,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
    ) -> None:
        self._maximum = concurrency
        self._limit = float(concurrency)
        self._under_way = 0
        self._requests = _Allowance(requests_per_minute)
        self._tokens = _Allowance(tokens_per_minute)
        self._quiet_until = 0.0
        self._slowed_at = 0.0
        self._lost_at: float | None = None
        # AnyIO's locks, unlike asyncio's, are not tied to the first event loop that waits.
        self._queue, self._door = (anyio.Lock(fast_acquire=True) for _ in range(2))
        self._changed = asyncio.Event()

    @property
    def concurrency(self) -> int:
        """How many calls may be under way now."""
        return int(self._limit)

    @asynccontextmanager
    async def turn(self, tokens: int, *, again: bool) -> AsyncIterator[Turn]:
        """Wait for a turn to send one request, and hold a place until it has ended.

        A call that is made `again` waits behind one new call at most: new ones queue up first.
        """
        async with nullcontext() if again else self._queue, self._door:
            while (wait := self._wait(time.monotonic())) > 0:
                await self._change(wait)
            turn = self._take(tokens, time.monotonic())
        try:
            yield turn
        finally:
            self._under_way -= 1
            self._changed.set()

    def answered(self, turn: Turn, used: int | None) -> None:
        """Note a good answer, and the tokens used if it tells them."""
        self.reached()
        step = max(1.0, self._maximum / _STEPS) / self._limit
        self._limit = min(float(self._maximum), self._limit + step)
        if used is not None:
            self._tokens.correct(used - turn.tokens)

    def overloaded(self, turn: Turn) -> None:
        """Halve the concurrency; calls sent before the last halving tell nothing new."""
        if turn.started > self._slowed_at:
            self._limit = max(1.0, self._limit / 2)
            self._slowed_at = time.monotonic()

    def pause(self, seconds: float) -> None:
        """Let nothing start for so long."""
        self._quiet_until = max(self._quiet_until, time.monotonic() + seconds)

    def reached(self) -> None:
        """Note that the endpoint is there."""
        self._lost_at = None

    def unreachable(self) -> float:
        """Let one call at a time try, ever less often; return the seconds since it was lost."""
        now = time.monotonic()
        self._lost_at = now if self._lost_at is None else self._lost_at
        lost_for = now - self._lost_at
        self._limit = 1.0
        self.pause(min(_LAST_KNOCK, max(_FIRST_KNOCK, lost_for)))
        return lost_for

    def _wait(self, now: float) -> float:
        """Return the seconds until the next turn; endless while all places are taken."""
        if self._under_way >= self.concurrency:
            return math.inf
        return max(self._quiet_until, self._requests.free_at, self._tokens.free_at) - now

    def _take(self, tokens: int, now: float) -> Turn:
        self._under_way += 1
        self._requests.spend(1, now)
        self._tokens.spend(tokens, now)
        return Turn(started=now, tokens=tokens)

    async def _change(self, seconds: float) -> None:
        """Wait so long, or until a call has ended."""
        self._changed = asyncio.Event()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds if math.isfinite(seconds) else None):
                await self._changed.wait()
