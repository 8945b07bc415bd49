"""Make calls to a chat model, retry them, and count every attempt.

Only this module retries; the providers' clients are configured not to.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from uaeval.errors import RunAborted
from uaeval.llm.endpoint import errors
from uaeval.llm.endpoint.rate_limiter import Permit, RateLimiter
from uaeval.llm.usage import Usage, record_usage

T = TypeVar("T")

LONGEST_PAUSE: Final = 600.0
"""Longest wait in seconds that an endpoint may ask for; the run is aborted if it asks for more."""
LONGEST_BACKOFF: Final = 60.0


@dataclass(eq=False, kw_only=True)
class Calls:
    """Makes the calls to one model within its rate limits, and retries transient errors."""

    rate_limiter: RateLimiter
    endpoint: str
    """How error messages name the endpoint."""
    raised: tuple[type[Exception], ...]
    """The types of error that a call may raise."""
    timeout: float
    """Seconds, from sending to the last byte of the reply."""
    max_retries: int

    async def make(
        self, send: Callable[[], Awaitable[T]], tokens: int, used: Callable[[T], int | None]
    ) -> T:
        """Return the result of `send`, after retries if they are needed and allowed.

        `tokens` is the estimated size of the call; `used` returns the real size from the answer.

        The error is that of the last attempt, or `RunAborted` if no further call can succeed: the
        key is refused, the quota is used up, or the endpoint cannot be reached or asks to wait.
        """
        attempt = 0
        while True:
            attempt += 1
            try:
                async with self.rate_limiter.permit(tokens, attempt) as permit:
                    record_usage(Usage(calls=1, retries=int(attempt > 1)))
                    answer = await self._send(send, permit)
                    self.rate_limiter.record_success(permit, used(answer))
                    return answer
            except self.raised as error:
                if attempt > self.max_retries or not errors.is_transient(error):
                    raise
                await asyncio.sleep(self._backoff(error, attempt))

    def _backoff(self, error: Exception, attempt: int) -> float:
        """Return the seconds to wait before a retry; on overload, pause all calls to the model."""
        if errors.retry_after(error):
            return 0.0
        longest = min(LONGEST_BACKOFF, self.rate_limiter.backoff * 2 ** (attempt - 1))
        seconds = random.uniform(0, longest)
        if errors.status_of(error) in errors.OVERLOADED:
            self.rate_limiter.pause(seconds)
            return 0.0
        return seconds

    async def _send(self, send: Callable[[], Awaitable[T]], permit: Permit) -> T:
        """Send one request and record its error; the timeout also ends a slow reply."""
        limit = asyncio.timeout(self.timeout)
        try:
            async with limit:
                return await send()
        except self.raised as error:
            timeout_error = TimeoutError(f"timed out: no whole reply within {self.timeout:g} s")
            actual = timeout_error if limit.expired() else error
            if not errors.is_own_bug(actual):
                self._record_error(actual, permit)
            raise actual from actual.__cause__

    def _record_error(self, error: Exception, permit: Permit) -> None:
        """Count an error, and pause or stop the other calls if necessary."""
        status, is_timeout = errors.status_of(error), errors.caused_by(error, errors.TIMED_OUT)
        record_usage(Usage(rate_limited=int(status == errors.TOO_MANY), timeouts=int(is_timeout)))
        if status in errors.OVERLOADED:
            self.rate_limiter.record_overload(permit)
        if not is_timeout and not errors.caused_by(error, errors.UNREACHABLE):
            self.rate_limiter.record_response()
        if reason := self._reason_to_stop(error, permit):
            self.rate_limiter.slots.close(reason)
            raise reason from None
        if errors.is_transient(error):
            self.rate_limiter.pause(errors.retry_after(error) or 0)

    def _reason_to_stop(self, error: Exception, permit: Permit) -> RunAborted | None:
        """Return the error that ends the run if no further call can succeed now, else `None`."""
        meaning = errors.as_own_error(error, self.endpoint)
        if isinstance(meaning, RunAborted):
            return None if errors.rejected_features(error) else meaning
        if errors.caused_by(error, errors.UNREACHABLE):
            seconds_lost = self.rate_limiter.record_unreachable()
            if seconds_lost >= self.rate_limiter.patience:
                return RunAborted(
                    f"no connection for {seconds_lost:.0f} s: {meaning}. "
                    "Check base_url and the network, then run again"
                )
        wait = errors.retry_after(error) if errors.is_transient(error) else None
        if wait and wait > LONGEST_PAUSE:
            return RunAborted(
                f"{self.endpoint} asked to retry after {wait:.0f} s (Retry-After); run again then"
            )
        if not errors.caused_by(error, errors.TIMED_OUT):
            return None
        if unanswered := self.rate_limiter.record_timeout(permit):
            return RunAborted(
                f"{unanswered} requests in a row got no answer: {meaning}. Check that the endpoint "
                "serves this model; if it is slow, raise --timeout or lower --concurrency; then "
                "run again"
            )
        return None
