"""Asking a system of the user's own: so many at once, in so much time, so many times."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt
from tenacity.wait import wait_random_exponential

from uaeval.errors import ConfigError, TargetError
from uaeval.systems.system import Answer

MOST_MISFITS: Final = 3
"""Replies that do not fit the settings, before any that does, that are taken as one query's own."""
LONGEST_PAUSE: Final = 60.0
"""Seconds between two attempts, whatever the system asks for."""


class Fault(Exception):  # noqa: N818 - of one attempt; what it means for the run is said later
    """What went wrong with one attempt, in words for the user."""

    def __init__(self, message: str, *, raw: str | None = None, wait: float | None = None) -> None:
        super().__init__(message)
        self.raw = raw
        """What the system said, if anything."""
        self.wait = wait
        """Seconds that it asks to be left alone."""


class PassingFault(Fault):
    """Another attempt may succeed."""


class SettingsFault(Fault):
    """The settings are wrong, unless there were answers before."""


class MisfitFault(SettingsFault):
    """What came back does not fit the settings."""

    def __init__(self, message: str, *, raw: str = "") -> None:
        super().__init__(message, raw=raw)


class NoConnectionFault(SettingsFault):
    """There was nobody; that passes if there was somebody before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How a system may be asked."""

    concurrency: int = 8
    timeout: float = 120.0
    """Seconds for one attempt."""
    max_retries: int = 4
    backoff: float = 1.0
    """Seconds; a second attempt waits a random part of them, a third one of twice as many."""


class AttemptRunner:
    """Asks one system within its limits, and says what its faults mean."""

    def __init__(self, name: str, limits: Limits, *, again_after_timeout: bool = True) -> None:
        self._name = name
        self._limits = limits
        self._again_after_timeout = again_after_timeout
        self._room = asyncio.Semaphore(limits.concurrency)
        self._backoff = wait_random_exponential(multiplier=limits.backoff, max=LONGEST_PAUSE)
        self._answered = False
        self._misfits = 0

    async def make(self, send: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return what `send` brings, with the seconds of the attempt that brought it.

        Raises:
            TargetError: no answer came.
            ConfigError: nothing was answered so far, and what came does not fit the settings.
        """
        attempts = AsyncRetrying(
            retry=retry_if_exception(self._may_pass),
            stop=stop_after_attempt(self._limits.max_retries + 1),
            wait=self._wait,
            reraise=True,
        )
        try:
            answer: Answer = await attempts(self._attempt, send)
        except Fault as fault:
            raise self._meaning(fault) from None
        self._answered = True
        return answer

    async def _attempt(self, send: Callable[[], Awaitable[Answer]]) -> Answer:
        async with self._room:
            started = time.perf_counter()
            limit = asyncio.timeout(self._limits.timeout)
            try:
                async with limit:
                    answer = await send()
            except TimeoutError:
                if not limit.expired():
                    raise
                kind = PassingFault if self._again_after_timeout else Fault
                message = f"timed out: no whole answer within {self._limits.timeout:g} s"
                raise kind(message) from None
            return replace(answer, latency_s=round(time.perf_counter() - started, 3))

    def _may_pass(self, error: BaseException) -> bool:
        if isinstance(error, NoConnectionFault):
            return self._answered
        return isinstance(error, PassingFault)

    def _wait(self, state: RetryCallState) -> float:
        fault = state.outcome.exception() if state.outcome else None
        if isinstance(fault, Fault) and fault.wait is not None:
            return min(fault.wait, LONGEST_PAUSE)
        return self._backoff(state)

    def _meaning(self, fault: Fault) -> TargetError | ConfigError:
        message = f"{self._name}: {fault}"
        if isinstance(fault, SettingsFault) and not self._answered:
            self._misfits += 1
            if self._misfits >= MOST_MISFITS:
                return ConfigError(f"{message} (nothing was answered so far)")
        return TargetError(message, raw=fault.raw)
