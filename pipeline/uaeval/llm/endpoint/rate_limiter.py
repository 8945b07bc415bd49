"""How fast one model is called: its rate limits, how many calls at once, and the pauses asked for.

Every attempt at a call takes a turn here first. Shared by all that call the same model.
"""

import asyncio
import math
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

import anyio

from uaeval.errors import RunAborted

FEWEST_CALLS: Final = 3
"""Calls that have to time out; some questions hang for ever where others are answered."""
MOST_AT_ONCE: Final = 256
"""Calls of one model under way at once, where nothing else is said."""
_MINUTE: Final = 61.0
"""Seconds; one more than there are, since an endpoint counts arrivals, and these jitter."""
_CREDIT: Final = 0.05
"""Seconds by which a turn that came late may bring the next one forward."""
_FIRST_PROBE: Final = 0.5
_LAST_PROBE: Final = 5.0
"""Seconds between attempts to reach an endpoint that is not there, at first and at the most."""
_TYPICAL_REPLY: Final = 300
"""Tokens."""
_BYTES_PER_TOKEN: Final = 4


def tokens_needed(texts: Iterable[str]) -> int:
    """Estimate the tokens of a call: prompt by its length, and a typical reply."""
    prompt = sum(len(text.encode(errors="replace")) for text in texts) // _BYTES_PER_TOKEN
    return prompt + _TYPICAL_REPLY


class _MinuteBudget:
    """So many units a minute, spent evenly: each spending puts the next one off."""

    def __init__(self, per_minute: int | None) -> None:
        self._seconds_each = _MINUTE / per_minute if per_minute else 0.0
        self.free_at = 0.0

    def spend(self, units: int, now: float) -> None:
        self.free_at = max(self.free_at, now - _CREDIT) + units * self._seconds_each

    def correct(self, units: int) -> None:
        """Spend some more, or give some back, after the event."""
        self.free_at += units * self._seconds_each


@dataclass(eq=False)
class RequestSlots:
    """Places for requests; a call holds one from sending to the end of the reply.

    What only waits (for a rate limit, a pause or another attempt) holds none.
    """

    places: int
    taken: int = 0
    closed: RunAborted | None = None
    """Why no more places are given."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set, and replaced, at the next change; each serves once, so none is tied to a loop."""

    def close(self, reason: RunAborted) -> None:
        """Give no more places, for `reason`; what is in flight may end."""
        self.closed = reason
        self.notify()

    def notify(self) -> None:
        """Wake the calls that wait for a turn, those that have waited longest first."""
        self.changed.set()
        self.changed = asyncio.Event()


@dataclass(frozen=True, slots=True, kw_only=True)
class Permit:
    """Leave to send one request."""

    started: float
    tokens: int
    """What it is thought to need, and was charged with."""


@dataclass(eq=False, kw_only=True)
class RateLimiter:
    """Gives turns to the calls of one model, as fast as its limits and its endpoint allow.

    Concurrency is halved when the endpoint is overloaded, and grows by one with each round of
    successes up to its maximum (additive increase, multiplicative decrease).
    """

    concurrency: int = MOST_AT_ONCE
    """Most calls under way at once."""
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    """Prompts and replies together."""
    backoff: float = 1.0
    """Seconds; a call that failed waits a random part of them, then of twice as many."""
    patience: float = 20.0
    """Seconds without any connection after which the run stops."""
    room: RequestSlots | None = None
    """Bounds the calls of several models together."""

    def __post_init__(self) -> None:
        """Begin with all calls allowed."""
        self._limit = float(self.concurrency)
        self._under_way = 0
        self._requests = _MinuteBudget(self.requests_per_minute)
        self._tokens = _MinuteBudget(self.tokens_per_minute)
        self._quiet_until = 0.0
        self._slowed_at = 0.0
        self.reached()
        self._room = self.room or RequestSlots(self.concurrency)
        # AnyIO's locks, unlike asyncio's, are not tied to the first event loop that waits.
        self._queues: defaultdict[int, anyio.Lock] = defaultdict(anyio.Lock)
        self._waiting: Counter[int] = Counter()
        """Calls that wait for a turn, by which attempt it is."""

    @property
    def allowed(self) -> int:
        """How many calls may be under way now."""
        return int(self._limit)

    @asynccontextmanager
    async def turn(self, tokens: int, attempt: int = 1) -> AsyncIterator[Permit]:
        """Wait for a turn to send one request, and hold a place until it has ended.

        The more attempts a call has taken the sooner it has its turn, so that none
        fails over and over at an endpoint that serves only so many.

        Raises:
            RunAborted: the run is being stopped before the turn came.
        """
        self._waiting[attempt] += 1
        try:
            async with self._queues[attempt]:
                while (wait := self._wait(time.monotonic(), attempt)) > 0:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(wait if math.isfinite(wait) else None):
                            await self._room.changed.wait()
                now = time.monotonic()
                self._under_way += 1
                self._room.taken += 1
                self._requests.spend(1, now)
                self._tokens.spend(tokens, now)
        finally:
            self._waiting -= Counter([attempt])
            self._room.notify()
        try:
            yield Permit(started=now, tokens=tokens)
        finally:
            self._under_way -= 1
            self._room.taken -= 1
            self._room.notify()

    def answered(self, turn: Permit, used: int | None) -> None:
        """Note a good answer, and the tokens used if it reports them."""
        self.reached()
        self._limit = min(float(self.concurrency), self._limit + 1 / self._limit)
        if used is not None:
            self._tokens.correct(used - turn.tokens)

    def overloaded(self, turn: Permit) -> None:
        """Halve what is under way; calls sent before the last halving add no information."""
        if turn.started > self._slowed_at:
            self._limit = max(1.0, min(self._limit, self._under_way) / 2)
            self._slowed_at = time.monotonic()

    def pause(self, seconds: float) -> None:
        """Start nothing for so many seconds."""
        self._quiet_until = max(self._quiet_until, time.monotonic() + seconds)

    def stop(self, reason: RunAborted) -> None:
        """Give no more turns, also to models that share the slots."""
        self._room.close(reason)

    def reached(self) -> None:
        """Note an answer, be it an error."""
        self._lost_at: float | None = None
        self._silent_since = math.inf
        self._timeouts: list[int] = []

    def unanswered(self, turn: Permit, attempt: int) -> int:
        """Note a request that timed out; return how many did in a row if that is an outage, else 0.

        It is one when several calls timed out, and then a request that was sent after the first
        of them had: so an endpoint has at least twice the time for a call. `attempt` is 1 for the
        first request of a call.
        """
        self._silent_since = min(self._silent_since, time.monotonic())
        self._timeouts.append(attempt)
        lasts = self._timeouts.count(1) >= FEWEST_CALLS and turn.started >= self._silent_since
        return len(self._timeouts) if lasts else 0

    def unreachable(self) -> float:
        """Let one call at a time try, ever less often; return the seconds since it was lost."""
        now = time.monotonic()
        self._lost_at = now if self._lost_at is None else self._lost_at
        lost_for = now - self._lost_at
        self._limit = 1.0
        self.pause(min(_LAST_PROBE, max(_FIRST_PROBE, lost_for)))
        return lost_for

    def _wait(self, now: float, attempt: int) -> float:
        """Return the seconds until the next turn; endless while others have to end or go first."""
        if self._room.closed is not None:
            raise self._room.closed
        full = self._room.taken >= self._room.places or self._under_way >= self.allowed
        if full or max(self._waiting) > attempt:
            return math.inf
        return max(self._quiet_until, self._requests.free_at, self._tokens.free_at) - now
