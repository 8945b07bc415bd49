"""Whether an endpoint that takes requests still answers any."""

from typing import Final

FEWEST_CALLS: Final = 3
"""Calls that have to time out; some questions hang for ever where others are answered."""


class Silence:
    """Counts requests that timed out with no answer of any kind between them."""

    def __init__(self) -> None:
        self.end()

    def end(self) -> None:
        """Note an answer, be it an error."""
        self._since = float("inf")
        self._calls = 0
        self._requests = 0

    def note(self, started: float, now: float, attempt: int) -> int:
        """Take in a request that timed out; return how many did if that is an outage, else 0.

        It is one when several calls timed out, and then a request that was sent after the first
        of them had: so an endpoint has at least twice the time for a call.

        Args:
            started: When the request was sent, in seconds of some clock.
            now: The time on the same clock.
            attempt: Which one of its call it is; 1 is the first.
        """
        self._since = min(self._since, now)
        self._requests += 1
        self._calls += attempt == 1
        lasts = self._calls >= FEWEST_CALLS and started >= self._since
        return self._requests if lasts else 0
