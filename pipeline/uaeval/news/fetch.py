"""Fetches pages of the web: politely, within limits, and each only once."""

import asyncio
import ssl
import time
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Self

import httpcore
import httpx

from uaeval.errors import FetchError
from uaeval.news.address import AddressGuard, GuardedNetwork, Resolver, host_of
from uaeval.news.cache import CachedPage, PageCache
from uaeval.news.charset import text_of
from uaeval.news.client import (
    PASSING,
    SILENT,
    AcceptedContent,
    BusyError,
    Client,
    charset,
    content_type,
    type_problem,
)
from uaeval.news.host_scheduler import HostScheduler
from uaeval.news.robots import MAX_BYTES, RobotsRules
from uaeval.news.transport import guarded

PAGES: Final = ("text/html", "application/xhtml+xml", "text/plain", "")
"""Content types of articles."""
FEEDS: Final = (
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/xml",
    "text/xml", "application/json", *PAGES,
)  # fmt: skip
"""Content types of feeds; some are sent as pages."""
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_GIVEN_UP_AFTER: Final = 2
"""Requests in a row to which a host gave no answer at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSettings:
    """How the web is asked."""

    user_agent: str
    concurrency: int = 16
    """Requests under way at once, over all hosts; one at a time for each."""
    delay_s: float = 1.0
    """Least pause between the starts of two requests to one host; robots.txt may ask for more."""
    timeout_s: float = 30.0
    """For one page in all, with its redirects and slow bytes, without the wait for its turns."""
    max_bytes: int = 5_000_000
    """Of a body, decompressed."""
    max_redirects: int = 8
    attempts: int = 2
    """How often a request is made that fails in a way that may pass."""
    longest_delay_s: float = 60.0
    """A site that asks for longer pauses is left out, and a longer `Retry-After` not waited for."""
    allow_hosts: frozenset[str] = frozenset()
    """Hosts that need not be public."""
    proxy: str | None = None
    """An HTTP proxy, which then resolves the names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page that was had."""

    url: str
    """Where it was found, after redirects."""
    content_type: str
    charset: str | None
    """What its header names."""
    body: bytes

    def text(self) -> str:
        """Return its text.

        Raises:
            FetchError: it is not text.
        """
        return text_of(self.body, self.charset)


class Fetcher:
    """Fetches pages over one client. Open it with `async with`."""

    def __init__(
        self,
        settings: FetchSettings,
        cache: PageCache,
        *,
        since: float = 0.0,
        resolver: Resolver | None = None,
        network: httpcore.AsyncNetworkBackend | None = None,
        certificates: ssl.SSLContext | None = None,
    ) -> None:
        """Make ready.

        Args:
            settings: How the web is asked.
            cache: Where pages are kept.
            since: Pages kept after this moment (seconds since 1970) serve as they are.
            resolver: Who resolves names; the operating system if not given.
            network: Who makes connections, to addresses that were checked.
            certificates: Those to trust, if other than the public ones.
        """
        self.counts: Counter[str] = Counter()
        """`requests` made, `kept` pages that served without one."""
        self._settings = settings
        self._cache = cache
        self._since = since
        self._guard = AddressGuard(allowed=frozenset(host.lower() for host in settings.allow_hosts))
        self._turns = HostScheduler(delay_s=settings.delay_s, concurrency=settings.concurrency)
        self._client = Client(
            guarded(
                GuardedNetwork(self._guard, resolver, network),
                settings.proxy,
                connections=settings.concurrency,
                certificates=certificates,
            ),
            user_agent=settings.user_agent,
            timeout_s=settings.timeout_s,
            proxied=settings.proxy is not None,
        )
        self._rules: dict[str, RobotsRules | FetchError] = {}
        self._reading: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._unanswered: Counter[str] = Counter()

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._client.aclose()

    async def get(self, address: str, *, types: tuple[str, ...] = PAGES) -> Page:
        """Return the page at an address.

        Raises:
            FetchError: it must not be asked, is not allowed, or could not be had.
        """
        wanted = AcceptedContent(types=types, max_bytes=self._settings.max_bytes)
        found = await self._follow(_url(address), wanted, mind_rules=True)
        if not 200 <= found.status < 300:
            raise FetchError("status", f"{found.url[:200]}: HTTP {found.status}")
        problem = found.problem or type_problem(found, wanted)
        kind, _, said = problem.partition(": ")
        if kind:
            raise FetchError(kind, f"{found.url[:200]}: {said}")
        return Page(
            url=found.url,
            content_type=content_type(found),
            charset=charset(found),
            body=found.body,
        )

    async def _follow(
        self, url: httpx.URL, wanted: AcceptedContent, *, mind_rules: bool
    ) -> CachedPage:
        """Go from redirect to redirect; each is checked as if it were asked for by itself."""
        first, time_left = url, _Deadline(self._settings.timeout_s)
        for _ in range(self._settings.max_redirects + 1):
            self._guard.check(url)
            pause = await self._check_rules(url) if mind_rules else 0.0
            found = await self._hop(url, wanted, time_left, pause)
            if found.status not in _REDIRECTS or not found.location:
                return found
            url = _url(found.location, url)
        limit = self._settings.max_redirects
        raise FetchError("redirects", f"{str(first)[:200]}: more than {limit} redirects")

    async def _check_rules(self, url: httpx.URL) -> float:
        """Check that a site lets the page be asked for; return the pause that it asks for."""
        host = host_of(url)
        rules = await self._rules_of(url)
        if not rules.allow(str(url)):
            raise FetchError("robots", f"the robots.txt of {host} keeps {url.path[:200]} out")
        if rules.delay_s > self._settings.longest_delay_s:
            pause = f"a pause of {rules.delay_s:g} s"
            raise FetchError("robots", f"the robots.txt of {host} asks for {pause} between pages")
        return rules.delay_s

    async def _rules_of(self, url: httpx.URL) -> RobotsRules:
        """Return a site's rules; whoever comes first reads them for all."""
        site = f"{url.scheme}://{url.netloc.decode('ascii')}"
        async with self._reading[site]:
            if site not in self._rules:
                try:
                    self._rules[site] = await self._read_rules(url.join("/robots.txt"))
                except FetchError as error:
                    told = f"the robots.txt of {host_of(url)} could not be had: {error}"
                    self._rules[site] = FetchError(error.kind, told)
        rules = self._rules[site]
        if isinstance(rules, FetchError):
            raise FetchError(rules.kind, str(rules))
        return rules

    async def _read_rules(self, url: httpx.URL) -> RobotsRules:
        wanted = AcceptedContent(types=None, max_bytes=MAX_BYTES)
        found = await self._follow(url, wanted, mind_rules=False)
        if not 200 <= found.status < 300:
            return RobotsRules()
        if found.problem:
            raise FetchError("size", found.problem)
        return RobotsRules(text_of(found.body, charset(found)))

    async def _hop(
        self, url: httpx.URL, wanted: AcceptedContent, time_left: "_Deadline", pause_s: float
    ) -> CachedPage:
        """Return what one URL gives: from the disk if that serves, else from the web."""
        attempt = 0
        while True:
            if (kept := self._kept(url)) is not None:
                return kept
            attempt += 1
            try:
                async with self._turns.turn(host_of(url), pause_s):
                    return self._kept(url) or await self._ask(url, wanted, time_left)
            except FetchError as error:
                wait = error.wait_s if isinstance(error, BusyError) else 0.0
                last = attempt == self._settings.attempts or error.kind not in PASSING
                if last or wait > self._settings.longest_delay_s:
                    raise
                self._turns.rest(host_of(url), wait)

    def _kept(self, url: httpx.URL) -> CachedPage | None:
        page = self._cache.get(str(url))
        if page is None or (page.checked_at < self._since and page.fresh_until <= time.time()):
            return None
        self.counts["kept"] += 1
        return page

    async def _ask(
        self, url: httpx.URL, wanted: AcceptedContent, time_left: "_Deadline"
    ) -> CachedPage:
        """Ask the web, and keep what it gives."""
        host = host_of(url)
        if self._unanswered[host] >= _GIVEN_UP_AFTER:
            raise FetchError("silent", f"{host} does not answer; it is not asked any more")
        self.counts["requests"] += 1
        known = self._cache.get(str(url))
        try:
            async with time_left.running(host):
                page = await self._client.exchange(url, known, wanted)
        except FetchError as error:
            self._unanswered[host] += error.kind in SILENT
            raise
        self._unanswered[host] = 0
        self._cache.put(page)
        return page


class _Deadline:
    """The time that one page may take, over all its requests."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    @asynccontextmanager
    async def running(self, host: str) -> AsyncGenerator[None]:
        """Count the time within a block, and end it when there is none left."""
        started = time.monotonic()
        try:
            async with asyncio.timeout(max(0.0, self._seconds)):
                yield
        except TimeoutError as error:
            raise FetchError("time", f"{host} took too long") from error
        finally:
            self._seconds -= time.monotonic() - started


def _url(address: str, source: httpx.URL | None = None) -> httpx.URL:
    """Return the URL that the user names, or that `source` redirects to."""
    try:
        url = source.join(address.strip()) if source else httpx.URL(address.strip())
        return url.copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError) as error:
        wrong = f"{host_of(source)} redirects to" if source else f"{address[:200]!r} is"
        raise FetchError("address", f"{wrong} no address: {error}") from error
