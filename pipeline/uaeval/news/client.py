"""Make one request over a guarded connection, and check its response; classify failures."""

import ssl
import time
from dataclasses import replace
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib.metadata import version
from typing import Any, Final

import httpcore
import httpx

from uaeval.config import SynthesisConfig
from uaeval.errors import ConfigError, FetchError
from uaeval.http_replies import ACCEPTED, read_body, retry_after_seconds
from uaeval.news.address import GuardedNetwork, host_of
from uaeval.news.page import Page

_BUSY: Final = frozenset({408, 425, 429, 500, 502, 503, 504})


class GuardedTransport(httpx.AsyncHTTPTransport):
    """Sends requests over guarded connections, or through a proxy, which then resolves the names.

    The connection pool is created here, because the constructor of httpx accepts no network
    backend. That constructor is not called, so there is no other pool.
    """

    def __init__(
        self, network: GuardedNetwork, config: SynthesisConfig, certificates: ssl.SSLContext | None
    ) -> None:
        """Create the pool; raise `ConfigError` if the proxy is not an HTTP address."""
        limits: dict[str, Any] = {
            "ssl_context": certificates or public_certificates(),
            "max_connections": config.fetch_concurrency,
            "max_keepalive_connections": config.fetch_concurrency,
            "keepalive_expiry": 15.0,
        }
        if not config.web_proxy:
            self._pool = httpcore.AsyncConnectionPool(network_backend=network, **limits)
            return
        try:
            url = httpx.URL(config.web_proxy)
        except httpx.InvalidURL as error:
            message = f"web_proxy: {error}; give an address such as http://host:3128"
            raise ConfigError(message) from None
        if url.scheme not in ("http", "https") or not url.host:
            raise ConfigError("web_proxy: give an address such as http://host:3128")
        login = (url.username.encode(), url.password.encode()) if url.username else None
        proxy = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=b"/")
        self._pool = httpcore.AsyncHTTPProxy(proxy_url=proxy, proxy_auth=login, **limits)


def public_certificates() -> ssl.SSLContext:
    """Return the certificates of httpx, without those that the environment names."""
    return httpx.create_ssl_context(trust_env=False)


class Client(httpx.AsyncClient):
    """An httpx client without cookies and redirects that ignores the environment."""

    def __init__(self, transport: GuardedTransport, config: SynthesisConfig) -> None:
        self._through = " through the proxy" if config.web_proxy is not None else ""
        contact = f" (+{config.contact})" if config.contact else ""
        agent = f"uaeval/{version('uaeval')}{contact}"
        super().__init__(
            transport=transport,
            trust_env=False,
            follow_redirects=False,
            timeout=config.page_timeout,
            headers={"user-agent": agent, "accept-encoding": ACCEPTED},
            cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
        )

    async def exchange(
        self, url: httpx.URL, known: Page | None, types: tuple[str, ...] | None, max_bytes: int
    ) -> Page:
        """Request a page, or return `known` if unchanged; raise `FetchError` without an answer.

        `types` are the accepted media types (`None`: any), `max_bytes` limits the decoded body.
        """
        host = host_of(url)
        conditions = (
            {"if-none-match": known.etag, "if-modified-since": known.last_modified} if known else {}
        )
        headers = {name: value for name, value in conditions.items() if value}
        try:
            async with self.stream("GET", url, headers=headers) as response:
                if response.status_code == httpx.codes.NOT_MODIFIED and known and headers:
                    return replace(known, checked_at=time.time())
                return await _read(response, types, max_bytes)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
            message = f"{host}: no connection{self._through} ({_text(error)})"
            raise FetchError("connect", message) from error
        except httpx.TimeoutException as error:
            raise FetchError("time", f"{host} took too long") from error
        except (httpx.NetworkError, httpx.ProtocolError, ssl.SSLError) as error:
            if isinstance(error, httpx.ProtocolError) and error.__cause__ is None:
                # httpx itself raises this for an invalid `Location`.
                raise FetchError("address", f"{host}: {_text(error)}") from error
            raise FetchError("broken", f"{host}: the answer broke off ({_text(error)})") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise FetchError("address", f"{host}: {_text(error)}") from error


async def _read(response: httpx.Response, types: tuple[str, ...] | None, max_bytes: int) -> Page:
    url, status, headers = response.request.url, response.status_code, response.headers
    if status in _BUSY:
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
