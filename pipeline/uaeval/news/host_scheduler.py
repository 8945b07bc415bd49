"""Schedule requests: one at a time for each host, with pauses, and a limit in all."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class HostScheduler:
    """Limits requests. A host that waits for its pause does not take a place from others."""

    def __init__(self, *, delay_s: float, concurrency: int) -> None:
        self._delay_s = delay_s
        self._places = asyncio.Semaphore(concurrency)
        self._hosts: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._free_at: dict[str, float] = {}

    @asynccontextmanager
    async def turn(self, host: str, delay_s: float = 0.0) -> AsyncGenerator[None]:
        """Hold the host's turn; the next one starts `delay_s`, or the usual pause, after this."""
        async with self._hosts[host]:
            await asyncio.sleep(max(0.0, self._free_at.get(host, 0.0) - time.monotonic()))
            async with self._places:
                self._free_at[host] = time.monotonic() + max(delay_s, self._delay_s)
                yield

    def rest(self, host: str, seconds: float) -> None:
        """Leave a host alone for so long from now."""
        until = time.monotonic() + seconds
        self._free_at[host] = max(self._free_at.get(host, 0.0), until)
