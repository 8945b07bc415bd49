"""What hosts ask of a crawl: robots.txt (RFC 9309), pauses, and one request at a time.

Protego reads robots.txt: its matching uses no backtracking.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from protego import Protego

PRODUCT: Final = "uaeval"
"""The name under which sites may set rules for this program."""
MAX_BYTES: Final = 512_000
"""More of the file is not read; RFC 9309 asks for at least 500 kibibytes."""


class RobotsRules:
    """What one site allows; all of it, if its robots.txt is empty."""

    def __init__(self, text: str = "") -> None:
        self._parsed = Protego.parse(text)
        delay = self._parsed.crawl_delay(PRODUCT) or 0.0
        rate = self._parsed.request_rate(PRODUCT)
        pause = rate.seconds / rate.requests if rate and rate.requests else 0.0
        self.sitemaps = tuple(self._parsed.sitemaps)
        """The addresses of the sitemaps that it names."""
        self.delay_s = max(0.0, float(delay), float(pause))
        """Seconds between two requests that the site asks for; 0 if it asks for none."""

    def allow(self, url: str) -> bool:
        """Return whether a page may be requested."""
        return bool(self._parsed.can_fetch(url, PRODUCT))


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
        """Request nothing from a host for so many seconds from now."""
        until = time.monotonic() + seconds
        self._free_at[host] = max(self._free_at.get(host, 0.0), until)
