"""One call to a chat model, in as many attempts as it takes and is allowed, each of them charged.

Only this module retries; the clients of the providers are configured not to.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from uaeval.errors import RunAborted
from uaeval.llm.endpoint.errors import (
    TOO_MANY,
    as_own_error,
    is_overload,
    is_own_bug,
    is_timeout,
    is_transient,
    is_turned_down,
    is_unreachable,
    retry_after,
    status_of,
)
from uaeval.llm.endpoint.rate_limiter import Permit, RateLimiter
from uaeval.llm.ledger import charge
from uaeval.llm.parameters import Usage

T = TypeVar("T")

LONGEST_PAUSE: Final = 600.0
"""Seconds that an endpoint may ask to wait; if it asks for more the run stops."""
LONGEST_BACKOFF: Final = 60.0


@dataclass(eq=False, kw_only=True)
class Calls:
    """Makes the calls to one model at its pace; tries again where that may help."""

    pace: RateLimiter
    endpoint: str
    """As messages name it."""
    errors: tuple[type[Exception], ...]
    """Those that a call may raise."""
    timeout: float
    """Seconds, from sending to the last byte of the reply."""
    max_retries: int

    async def make(
        self, send: Callable[[], Awaitable[T]], tokens: int, used: Callable[[T], int | None]
    ) -> T:
        """Return what `send` does, tried as often as it takes and is allowed.

        It is thought to need `tokens`; `used` reads from the answer how many it did need.

        Raises:
            RunAborted: no further call can succeed: the key is refused, the quota is used up, the
                endpoint cannot be reached, or it asks for too long a pause.
            Exception: the last of `errors` that was met.
        """
        number = 0
        while True:
            number += 1
            try:
                async with self.pace.turn(tokens, number) as turn:
                    charge(Usage(calls=1, retries=int(number > 1)))
                    answer = await self._sent(send, turn, number)
                    self.pace.answered(turn, used(answer))
                    return answer
            except self.errors as error:
                if number > self.max_retries or not is_transient(error):
                    raise
                seconds = self._backoff(error, number)
            await asyncio.sleep(seconds)

    def _backoff(self, error: Exception, attempts: int) -> float:
        """Return the seconds that this call waits; under overload all calls to the model wait."""
        if retry_after(error):
            return 0.0
        most = min(LONGEST_BACKOFF, self.pace.backoff * 2 ** (attempts - 1))
        seconds = random.uniform(0, most)
        if is_overload(error):
            self.pace.pause(seconds)
            return 0.0
        return seconds

    async def _sent(self, send: Callable[[], Awaitable[T]], turn: Permit, attempt: int) -> T:
        """Send, and note what goes wrong; a reply that trickles in is ended too."""
        limit = asyncio.timeout(self.timeout)
        try:
            async with limit:
                return await send()
        except self.errors as error:
            late = TimeoutError(f"timed out: no whole reply within {self.timeout:g} s")
            met = late if limit.expired() else error
            if not is_own_bug(met):
                self._note(met, turn, attempt)
            raise met from met.__cause__

    def _note(self, error: Exception, turn: Permit, attempt: int) -> None:
        """Count what went wrong, and let the other calls know."""
        limited = status_of(error) == TOO_MANY
        charge(Usage(rate_limited=int(limited), timeouts=int(is_timeout(error))))
        if is_overload(error):
            self.pace.overloaded(turn)
        if not is_unreachable(error) and not is_timeout(error):
            self.pace.reached()
        if reason := self._reason_to_stop(error, turn, attempt):
            self.pace.stop(reason)
            raise reason from None
        if is_transient(error):
            self.pace.pause(retry_after(error) or 0)

    def _reason_to_stop(self, error: Exception, turn: Permit, attempt: int) -> RunAborted | None:
        """Return why no further call can succeed for now, or `None`."""
        meaning = as_own_error(error, self.endpoint)
        if isinstance(meaning, RunAborted):
            return None if is_turned_down(error) else meaning
        if is_unreachable(error) and (lost_for := self.pace.unreachable()) >= self.pace.patience:
            return RunAborted(
                f"no connection for {lost_for:.0f} s: {meaning}. "
                "Check base_url and the network, then run again"
            )
        asked = retry_after(error) if is_transient(error) else None
        if asked and asked > LONGEST_PAUSE:
            return RunAborted(
                f"{self.endpoint} asked to retry after {asked:.0f} s (Retry-After); run again then"
            )
        if is_timeout(error) and (unanswered := self.pace.unanswered(turn, attempt)):
            return RunAborted(
                f"{unanswered} requests in a row got no answer: {meaning}. Check that the endpoint "
                "serves this model; if it is slow, raise --timeout or lower --concurrency; then "
                "run again"
            )
        return None
