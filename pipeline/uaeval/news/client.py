"""Make one request and check its response; each kind of failure has a name."""

import re
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final

import httpcore
import httpx

from uaeval.errors import FetchError
from uaeval.news.address import host_of
from uaeval.news.body import ACCEPTED, read_body
from uaeval.news.cache import CachedPage, conditions, renewed, stored
from uaeval.news.transport import GuardedTransport

PASSING: Final = frozenset({"connect", "broken", "busy"})
"""Kinds of errors that may be gone when the page is asked for again."""
SILENT: Final = frozenset({"connect", "time"})
"""Kinds of errors that mean that the host gave no answer."""
_BUSY: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedContent:
    """What may come back."""

    types: tuple[str, ...] | None
    """Content types, `""` where none is named; `None`: any."""
    max_bytes: int
    """Of the body, decompressed."""


class BusyError(FetchError):
    """The host cannot answer now."""

    def __init__(self, message: str, wait_s: float) -> None:
        super().__init__("busy", message)
        self.wait_s = wait_s
        """What its `Retry-After` asks for; 0 if it asks for nothing."""


class Client(httpx.AsyncClient):
    """An httpx client that keeps no cookies, follows no redirect and reads no environment."""

    def __init__(
        self, transport: GuardedTransport, *, user_agent: str, timeout_s: float, proxied: bool
    ) -> None:
        self._way = " through the proxy" if proxied else ""
        super().__init__(
            transport=transport,
            trust_env=False,
            follow_redirects=False,
            timeout=timeout_s,
            headers={"user-agent": user_agent, "accept-encoding": ACCEPTED},
            cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
        )

    async def exchange(
        self, url: httpx.URL, known: CachedPage | None, wanted: AcceptedContent
    ) -> CachedPage:
        """Ask for a page, or whether the `known` one has changed.

        Raises:
            FetchError: there was no answer that could be used.
        """
        host = host_of(url)
        headers = conditions(known) if known else {}
        try:
            async with self.stream("GET", url, headers=headers) as response:
                if response.status_code == httpx.codes.NOT_MODIFIED and known and headers:
                    return renewed(known, response.headers, time.time())
                return await _read(str(url), response, wanted)
        except (httpcore.ConnectError, httpcore.ConnectTimeout, httpcore.ProxyError) as error:
            message = f"{host}: no connection{self._way} ({_text(error)})"
            raise FetchError("connect", message) from error
        except httpcore.TimeoutException as error:
            raise FetchError("time", f"{host} took too long") from error
        except (httpcore.NetworkError, httpcore.ProtocolError, ssl.SSLError) as error:
            raise FetchError("broken", f"{host}: the answer broke off ({_text(error)})") from error
        except (httpcore.UnsupportedProtocol, httpx.HTTPError, httpx.InvalidURL) as error:
            raise FetchError("address", f"{host}: {_text(error)}") from error


async def _read(url: str, response: httpx.Response, wanted: AcceptedContent) -> CachedPage:
    status, headers = response.status_code, response.headers
    host = host_of(response.request.url)
    if status in _BUSY:
        raise BusyError(f"{host} answered HTTP {status}", _retry_after(headers))
    page = stored(url, status, headers, time.time())
    if not response.is_success:
        return page
    if problem := type_problem(page, wanted):
        return replace(page, problem=problem)
    try:
        return replace(page, body=await read_body(response, wanted.max_bytes))
    except FetchError as error:
        if error.kind == "size":
            return replace(page, problem=f"size: {error}")
        raise


def type_problem(page: CachedPage, wanted: AcceptedContent) -> str:
    """Return why a page of this content type is not read; empty if it is."""
    kind = content_type(page)
    if wanted.types is None or kind in wanted.types:
        return ""
    return f"type: it is {kind[:80]!r}, which is not read"


def content_type(page: CachedPage) -> str:
    """Return a page's content type without its parameters, lower case; `""` if it has none."""
    return page.content_type.partition(";")[0].strip().lower()


def charset(page: CachedPage) -> str | None:
    """Return the charset that a page's header names."""
    match = _CHARSET.search(page.content_type)
    return match[1] if match else None


def _retry_after(headers: Mapping[str, str]) -> float:
    """Return the seconds that `Retry-After` asks for; a number or a date (RFC 9110, 10.2.3)."""
    given = headers.get("retry-after", "").strip()
    if given.isascii() and given.isdigit():
        return float(given[:9])
    try:
        return max(0.0, parsedate_to_datetime(given).timestamp() - time.time())
    except (ValueError, IndexError, OverflowError):
        return 0.0


def _text(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
