"""Ask the user's own system within limits of concurrency, time and retries."""

import asyncio
import time
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Final

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt
from tenacity.wait import wait_random_exponential

from uaeval.config import EvaluationConfig
from uaeval.errors import ConfigError, TargetError
from uaeval.records import Query
from uaeval.systems.system import Answer

MOST_MISFITS: Final = 3
"""The run stops if so many of the first replies, without an answer, do not fit the settings."""
LONGEST_PAUSE: Final = 60.0
"""Most seconds between two attempts, even if the system asks for more."""
FIRST_PAUSE = 1.0
"""Most seconds before the second attempt; the limit doubles with each further attempt."""


class Fault(TargetError):  # noqa: N818 - of one attempt; the error of the last one is raised
    """An attempt failed; the message is for the user."""

    def __init__(self, message: str, *, raw: str | None = None, wait: float | None = None) -> None:
        super().__init__(message, raw=raw)
        self.wait = wait
        """Seconds after which the system asks to be retried."""


class PassingFault(Fault):
    """Another attempt may succeed."""


class MisfitFault(Fault):
    """The reply does not fit the settings; they are wrong unless an earlier reply was an answer."""

    def __init__(self, message: str, *, raw: str | None = "") -> None:
        super().__init__(message, raw=raw)


class RetriedSystem(ABC):
    """A system that is asked within the limits of the settings; its faults are turned into errors.

    With `again_after_timeout`, a query is asked again if there was no answer in time.
    """

    def __init__(self, config: EvaluationConfig, *, again_after_timeout: bool = True) -> None:
        self.name = config.system
        self._config = config
        self._again_after_timeout = again_after_timeout
        self._slots = asyncio.Semaphore(config.system_concurrency or config.concurrency)
        self._backoff = wait_random_exponential(multiplier=FIRST_PAUSE, max=LONGEST_PAUSE)
        self.answered = config.has_responses
        """Whether the system answered a query, in this or an earlier session."""
        self._misfits = 0

    @abstractmethod
    async def send(self, query: Query) -> Answer:
        """Ask once; raise a `Fault` if there is no answer."""

    async def answer(self, query: Query) -> Answer:
        """Return the answer to `query`, with the latency of the successful attempt.

        Raises:
            TargetError: every attempt failed.
            ConfigError: the system has not answered yet, and its replies do not fit the settings.
        """
        attempts = AsyncRetrying(
            retry=retry_if_exception_type(PassingFault),
            stop=stop_after_attempt(self._config.max_retries + 1),
            wait=self._wait,
            reraise=True,
        )
        try:
            answer: Answer = await attempts(self._attempt, query)
        except Fault as fault:
            message = f"{self._config.system}: {fault}"
            if isinstance(fault, MisfitFault) and not self.answered:
                self._misfits += 1
                if self._misfits >= MOST_MISFITS:
                    raise ConfigError(f"{message} (nothing was answered so far)") from None
            raise TargetError(message, raw=fault.raw) from None
        self.answered = True
        return answer

    async def _attempt(self, query: Query) -> Answer:
        async with self._slots:
            started = time.perf_counter()
            try:
                async with asyncio.timeout(self._config.timeout):
                    answer = await self.send(query)
            except TimeoutError:
                kind = PassingFault if self._again_after_timeout else Fault
                message = f"timed out: no whole answer within {self._config.timeout:g} s"
                raise kind(message) from None
            seconds = round(time.perf_counter() - started, 3)
            return replace(answer, latency_s=answer.latency_s or seconds)

    def _wait(self, state: RetryCallState) -> float:
        fault = state.outcome.exception() if state.outcome else None
        if isinstance(fault, Fault) and fault.wait is not None:
            return min(fault.wait, LONGEST_PAUSE)
        return self._backoff(state)
