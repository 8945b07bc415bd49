"""Limit the calls to one model: rate limits, concurrency, and pauses.

Every attempt at a call waits for a permit first. All callers of the same model share a limiter.
"""

import asyncio
import math
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import anyio

from uaeval.errors import RunAborted

FEWEST_CALLS: Final = 3
"""Calls that must time out before it counts as an outage; single prompts may hang forever."""
MOST_AT_ONCE: Final = 256
"""Default for the calls to one model in flight at once."""
_MINUTE: Final = 61.0
"""Seconds; one more than a minute has, because requests arrive at the endpoint with jitter."""
_CREDIT: Final = 0.05
"""Seconds by which a late request may bring the next one forward."""


class _MinuteBudget:
    """A budget of units per minute that is spent evenly: every use delays the next one."""

    def __init__(self, per_minute: int | None) -> None:
        self.seconds_each = _MINUTE / per_minute if per_minute else 0.0
        self.free_at = 0.0

    def spend(self, units: int, now: float) -> None:
        self.free_at = max(self.free_at, now - _CREDIT) + units * self.seconds_each


@dataclass(eq=False)
class RequestSlots:
    """Slots for requests in flight; a call holds one from sending to the end of the reply.

    A call that waits for a rate limit, a pause or a retry holds none.
    """

    places: float = math.inf
    taken: int = 0
    closed: RunAborted | None = None
    """Why no more slots are given; `None` while they are."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set and replaced at every change; each is used once, so none is tied to an event loop."""

    def close(self, reason: RunAborted) -> None:
        """Give no more slots, for `reason`; requests in flight are completed."""
        self.closed = reason
        self.notify()

    def notify(self) -> None:
        """Wake the calls that wait for a permit, in the order of their waiting."""
        self.changed.set()
        self.changed = asyncio.Event()


class Permit(NamedTuple):
    """The permission to send one request, for which so many tokens were taken from the budget."""

    started: float
    tokens: int
    attempt: int
    """1 for the first request of a call."""


@dataclass(eq=False, kw_only=True)
class RateLimiter:
    """Gives permits to the calls of one model, as fast as its limits and its endpoint allow.

    Concurrency is halved when the endpoint is overloaded, and grows by one with each round of
    successes up to its maximum (additive increase, multiplicative decrease).
    """

    concurrency: int = MOST_AT_ONCE
    """Most calls in flight at once."""
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    """Prompts and replies together."""
    backoff: float = 1.0
    """Longest wait in seconds before the first retry; it doubles with every further retry."""
    patience: float = 20.0
    """Seconds without any connection after which the run is aborted."""
    slots: RequestSlots = field(default_factory=RequestSlots)
    """Limits the calls to several models together."""

    def __post_init__(self) -> None:
        self._limit = float(self.concurrency)
        self._in_flight = 0
        self._requests = _MinuteBudget(self.requests_per_minute)
        self._tokens = _MinuteBudget(self.tokens_per_minute)
        self._paused_until = self._halved_at = 0.0
        self.record_response()
        # AnyIO's locks, unlike asyncio's, are not tied to the first event loop that waits.
        self._queues: defaultdict[int, anyio.Lock] = defaultdict(anyio.Lock)
        self._waiting: Counter[int] = Counter()
        """Number of calls that wait for a permit, by number of the attempt."""

    @property
    def allowed(self) -> int:
        """How many calls may be in flight now."""
        return int(self._limit)

    @asynccontextmanager
    async def permit(self, tokens: int, attempt: int = 1) -> AsyncIterator[Permit]:
        """Wait until one request may be sent, and hold a slot until the request has ended.

        Calls with more attempts go first, so that none fails repeatedly at a busy endpoint. Raise
        `RunAborted` if the run is being stopped.
        """
        self._waiting[attempt] += 1
        try:
            async with self._queues[attempt]:
                while (wait := self._wait(time.monotonic(), attempt)) > 0:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(wait if math.isfinite(wait) else None):
                            await self.slots.changed.wait()
                now = time.monotonic()
                self._in_flight += 1
                self.slots.taken += 1
                self._requests.spend(1, now)
                self._tokens.spend(tokens, now)
        finally:
            self._waiting -= Counter([attempt])
            self.slots.notify()
        try:
            yield Permit(started=now, tokens=tokens, attempt=attempt)
        finally:
            self._in_flight -= 1
            self.slots.taken -= 1
            self.slots.notify()

    def _wait(self, now: float, attempt: int) -> float:
        """Return the seconds until the next permit; infinite if another call must end first."""
        if self.slots.closed is not None:
            raise self.slots.closed
        full = self.slots.taken >= self.slots.places or self._in_flight >= self.allowed
        if full or max(self._waiting) > attempt:
            return math.inf
        return max(self._paused_until, self._requests.free_at, self._tokens.free_at) - now

    def pause(self, seconds: float) -> None:
        """Start no call for so many seconds."""
        self._paused_until = max(self._paused_until, time.monotonic() + seconds)

    def record_success(self, permit: Permit, tokens: int | None) -> None:
        """Allow more concurrency, and correct the budget by the `tokens` used, if known."""
        self.record_response()
        self._limit = min(float(self.concurrency), self._limit + 1 / self._limit)
        if tokens is not None:
            self._tokens.free_at += (tokens - permit.tokens) * self._tokens.seconds_each

    def record_overload(self, permit: Permit) -> None:
        """Halve the concurrency, unless the call was sent before it was last halved."""
        if permit.started > self._halved_at:
            self._limit = max(1.0, min(self._limit, self._in_flight) / 2)
            self._halved_at = time.monotonic()

    def record_response(self) -> None:
        """Forget timeouts and lost connections: the endpoint responded, maybe with an error."""
        self._unreachable_since: float | None = None
        self._first_timeout = math.inf
        self._timeouts: list[int] = []

    def record_timeout(self, permit: Permit) -> int:
        """Return the number of timeouts in a row if they are an outage, else 0.

        They are an outage if `FEWEST_CALLS` calls timed out, and then a request that was sent after
        the first timeout; so an endpoint has at least twice the time for a call.
        """
        self._first_timeout = min(self._first_timeout, time.monotonic())
        self._timeouts.append(permit.attempt)
        first_attempts = self._timeouts.count(1)
        is_outage = first_attempts >= FEWEST_CALLS and permit.started >= self._first_timeout
        return len(self._timeouts) if is_outage else 0

    def record_unreachable(self) -> float:
        """Allow one call every 0.5 to 5 s, ever less often; return the seconds since the first."""
        now = time.monotonic()
        if self._unreachable_since is None:
            self._unreachable_since = now
        seconds_lost = now - self._unreachable_since
        self._limit = 1.0
        self.pause(min(5.0, max(0.5, seconds_lost)))
        return seconds_lost
