"""Fetch web pages once each, with pauses and limits, as robots.txt allows.

Protego parses robots.txt (RFC 9309); its matching uses no backtracking.
"""

import asyncio
import ssl
import time
from collections import defaultdict
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib.metadata import version
from typing import Final

import httpcore
import httpx
from protego import Protego

from uaeval.config import SynthesisConfig
from uaeval.errors import FetchError
from uaeval.http_replies import ACCEPTED, is_transient_status, read_body, retry_after_seconds
from uaeval.news.address import (
    GuardedNetwork,
    GuardedTransport,
    Resolve,
    host_of,
    system_addresses,
)
from uaeval.news.page import PAGES, Page, PageCache

LARGEST_PAGE = 5_000_000
"""Most bytes of a decompressed body."""
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS: Final = 8
_PASSING: Final = frozenset({"connect", "broken", "busy"})
"""Kinds of failures that may not occur again in another attempt."""
_SILENT: Final = frozenset({"connect", "time"})
"""Kinds of failures where the host gave no answer."""
_ATTEMPTS: Final = 2
"""Number of attempts of a request whose failure may be temporary."""
_LONGEST_DELAY_S: Final = 60.0
"""Longest pause or `Retry-After` in seconds; pages of sites that ask for more are not fetched."""
_GIVEN_UP_AFTER: Final = 2
"""Number of consecutive requests without an answer after which a host is not requested again."""
PRODUCT: Final = "uaeval"
"""The name under which sites may set rules for this program."""
_LARGEST_ROBOTS: Final = 512_000
"""Most bytes of a robots.txt; RFC 9309 requires at least 500 kibibytes."""


def pause_of(rules: Protego) -> float:
    """Return the seconds between two requests that a robots.txt requires; 0 without a rule."""
    delay, rate = rules.crawl_delay(PRODUCT) or 0.0, rules.request_rate(PRODUCT)
    pause = rate.seconds / rate.requests if rate and rate.requests else 0.0
    return max(0.0, float(delay), float(pause))


@dataclass
class _Host:
    """The state of a host, which receives one request at a time."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    free_at: float = 0.0
    """Time of the next allowed request, by the monotonic clock."""
    unanswered: int = 0
    """Number of consecutive requests without an answer."""


class Fetcher(AbstractAsyncContextManager["Fetcher"]):
    """Fetches pages with one client; use it in an `async with` block."""

    def __init__(
        self,
        config: SynthesisConfig,
        cache: PageCache,
        *,
        since: float = 0.0,
        resolve: Resolve = system_addresses,
        network: httpcore.AsyncNetworkBackend | None = None,
        certificates: ssl.SSLContext | None = None,
    ) -> None:
        """Create a client; pages stored after `since` (seconds since 1970) are used again."""
        self.requests = 0
        """Number of requests so far."""
        self._config = config
        self._cache = cache
        self._since = since
        self._slots = asyncio.Semaphore(config.fetch_concurrency)
        self._hosts: defaultdict[str, _Host] = defaultdict(_Host)
        self._network = GuardedNetwork(config.allow_hosts, resolve, network)
        contact = f" (+{config.contact})" if config.contact else ""
        agent = f"{PRODUCT}/{version('uaeval')}{contact}"
        self._client = httpx.AsyncClient(
            transport=GuardedTransport(self._network, config, certificates),
            trust_env=False,
            timeout=config.page_timeout,
            headers={"user-agent": agent, "accept-encoding": ACCEPTED},
            cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
        )
        self._rules: dict[str, Protego | FetchError] = {}
        self._reading: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def __aexit__(self, *raised: object) -> None:
        await self._client.aclose()

    async def get(self, address: str, *, types: tuple[str, ...] = PAGES) -> Page:
        """Return the page at an address; raise `FetchError` if it cannot or must not be fetched."""
        page = await self._follow(_url(address), types)
        if not 200 <= page.status < 300:
            raise FetchError("status", f"{page.url[:200]}: HTTP {page.status}", status=page.status)
        page.check_type(types)  # it may have been stored for other types
        return page

    async def sitemaps(self, address: str) -> tuple[str, ...]:
        """Return the sitemaps in a site's robots.txt; raise `FetchError` if it cannot be read."""
        return tuple((await self._rules_of(_url(address))).sitemaps)

    async def _follow(self, url: httpx.URL, types: tuple[str, ...] | None) -> Page:
        """Return the page at the end of all redirects; every address is checked.

        `None` as `types` is for a robots.txt, to which neither types nor rules apply.
        """
        first, work = url, _Work(types, self._config.page_timeout)
        for _ in range(_MOST_REDIRECTS + 1):
            self._network.check(url)
            pause = 0.0 if types is None else await self._check_rules(url)
            page = await self._hop(url, work, pause)
            if page.status not in _REDIRECTS or not page.location:
                return page
            url = _url(page.location, url)
        raise FetchError("redirects", f"{str(first)[:200]}: more than {_MOST_REDIRECTS} redirects")

    async def _check_rules(self, url: httpx.URL) -> float:
        host = host_of(url)
        rules = await self._rules_of(url)
        if not rules.can_fetch(str(url), PRODUCT):
            raise FetchError("robots", f"the robots.txt of {host} disallows {url.path[:200]}")
        if (pause := pause_of(rules)) > _LONGEST_DELAY_S:
            rule = f"a pause of {pause:g} s between pages"
            raise FetchError("robots", f"the robots.txt of {host} asks for {rule}")
        return pause

    async def _rules_of(self, url: httpx.URL) -> Protego:
        site = f"{url.scheme}://{url.netloc.decode('ascii')}"
        async with self._reading[site]:
            if site not in self._rules:
                try:
                    page = await self._follow(url.join("/robots.txt"), None)
                    exists = 200 <= page.status < 300
                    self._rules[site] = Protego.parse(page.text() if exists else "")
                except FetchError as error:
                    message = f"cannot fetch the robots.txt of {host_of(url)}: {error}"
                    self._rules[site] = FetchError(error.kind, message)
        rules = self._rules[site]
        if isinstance(rules, FetchError):
            raise FetchError(rules.kind, str(rules))
        return rules

    async def _hop(self, url: httpx.URL, work: "_Work", pause_s: float) -> Page:
        attempt, host = 0, self._hosts[host_of(url)]
        while True:
            if (stored := self._stored(url)) is not None:
                return stored
            attempt += 1
            try:
                async with host.turn:
                    await asyncio.sleep(max(0.0, host.free_at - time.monotonic()))
                    async with self._slots:  # a host takes no slot during its pause
                        host.free_at = time.monotonic() + max(pause_s, self._config.host_delay)
                        return self._stored(url) or await self._ask(url, work)
            except FetchError as error:
                last = attempt == _ATTEMPTS or error.kind not in _PASSING
                if last or error.retry_after_s > _LONGEST_DELAY_S:
                    raise
                host.free_at = max(host.free_at, time.monotonic() + error.retry_after_s)

    def _stored(self, url: httpx.URL) -> Page | None:
        page = self._cache.get(str(url))
        return page if page and page.checked_at >= self._since else None

    async def _ask(self, url: httpx.URL, work: "_Work") -> Page:
        name, host = host_of(url), self._hosts[host_of(url)]
        if host.unanswered >= _GIVEN_UP_AFTER:
            raise FetchError("silent", f"{name} does not answer; it is not requested again")
        self.requests += 1
        started = time.monotonic()
        try:
            page = await self._exchange(url, work)
        except FetchError as error:
            host.unanswered += error.kind in _SILENT
            raise
        finally:
            work.seconds -= time.monotonic() - started
        host.unanswered = 0
        self._cache.put(page)
        return page

    async def _exchange(self, url: httpx.URL, work: "_Work") -> Page:
        """Request a page in the remaining time, or return the stored one if it has not changed."""
        host, known = host_of(url), self._cache.get(str(url))
        limit = asyncio.timeout(max(0.0, work.seconds))
        through = " through the proxy" if self._config.web_proxy is not None else ""
        max_bytes = _LARGEST_ROBOTS if work.types is None else LARGEST_PAGE
        etag, modified = (known.etag, known.last_modified) if known else ("", "")
        conditions = {"if-none-match": etag, "if-modified-since": modified}
        headers = {name: value for name, value in conditions.items() if value}
        try:
            async with limit, self._client.stream("GET", url, headers=headers) as response:
                if response.status_code == httpx.codes.NOT_MODIFIED and known and headers:
                    return replace(known, checked_at=time.time())
                return await _read(response, work.types, max_bytes)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
            message = f"{host}: no connection{through} ({_text(error)})"
            raise FetchError("connect", message) from error
        except (TimeoutError, httpx.TimeoutException) as error:
            raise FetchError("time", f"{host} took too long") from error
        except (httpx.NetworkError, httpx.ProtocolError, ssl.SSLError) as error:
            if isinstance(error, httpx.ProtocolError) and error.__cause__ is None:
                # httpx itself raises this for an invalid `Location`.
                raise FetchError("address", f"{host}: {_text(error)}") from error
            raise FetchError("broken", f"{host}: the answer broke off ({_text(error)})") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise FetchError("address", f"{host}: {_text(error)}") from error


@dataclass
class _Work:
    """The accepted types of a page, and the remaining time for all its requests."""

    types: tuple[str, ...] | None
    seconds: float


def _url(address: str, source: httpx.URL | None = None) -> httpx.URL:
    """Return the URL of an address in the settings, or one that `source` redirects to."""
    try:
        url = source.join(address.strip()) if source else httpx.URL(address.strip())
        return url.copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError) as error:
        start = f"{host_of(source)} redirects to" if source else f"{address[:200]!r} is"
        raise FetchError("address", f"{start} an invalid address: {error}") from error


async def _read(response: httpx.Response, types: tuple[str, ...] | None, max_bytes: int) -> Page:
    url, status, headers = response.request.url, response.status_code, response.headers
    if is_transient_status(status):
        message = f"{host_of(url)} answered HTTP {status}"
        raise FetchError("busy", message, retry_after_s=retry_after_seconds(headers) or 0.0)
    page = Page(
        url=str(url),
        status=status,
        content_type=headers.get("content-type", "")[:200],
        location=headers.get("location", ""),
        etag=headers.get("etag", "")[:500],
        last_modified=headers.get("last-modified", "")[:100],
        checked_at=time.time(),
    )
    if not response.is_success:
        return page
    page.check_type(types)
    return replace(page, body=await read_body(response, max_bytes))


def _text(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
