"""Carries requests over guarded connections, or through a proxy that the user names.

httpx's own transport takes no network backend, so requests are handed to httpcore here. Nothing is
read from the environment: no proxy, no certificates, no `.netrc`.
"""

import ssl
from collections.abc import AsyncIterator
from typing import Any, cast

import httpcore
import httpx

from uaeval.errors import ConfigError
from uaeval.news.address import GuardedNetwork

_KEPT_ALIVE_S = 15.0


class GuardedTransport(httpx.AsyncBaseTransport):
    """An httpx transport over one httpcore pool."""

    def __init__(self, pool: httpcore.AsyncConnectionPool) -> None:
        self._pool = pool

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; `httpcore`'s errors come through as they are."""
        url = request.url
        given = httpcore.Request(
            method=request.method,
            url=httpcore.URL(
                scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
            ),
            headers=request.headers.raw,
            content=cast(httpx.AsyncByteStream, request.stream),
            extensions=request.extensions,
        )
        got = await self._pool.handle_async_request(given)
        return httpx.Response(
            status_code=got.status,
            headers=got.headers,
            stream=_Stream(got),
            extensions=got.extensions,
        )

    async def aclose(self) -> None:
        """Close every connection."""
        await self._pool.aclose()


class _Stream(httpx.AsyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._response.aiter_stream():
            yield part

    async def aclose(self) -> None:
        await self._response.aclose()


def guarded(
    network: GuardedNetwork,
    proxy: str | None,
    *,
    connections: int,
    certificates: ssl.SSLContext | None = None,
) -> GuardedTransport:
    """Return a transport whose every connection is guarded.

    A `proxy` is left to connect, and so to resolve names.

    Raises:
        ConfigError: `proxy` is not the address of an HTTP proxy.
    """
    limits: dict[str, Any] = {
        "ssl_context": certificates or public_certificates(),
        "max_connections": connections,
        "max_keepalive_connections": connections,
        "keepalive_expiry": _KEPT_ALIVE_S,
    }
    if not proxy:
        return GuardedTransport(httpcore.AsyncConnectionPool(network_backend=network, **limits))
    try:
        url = httpx.URL(proxy)
    except httpx.InvalidURL as error:
        raise ConfigError(f"web_proxy: {error}; give an address such as http://host:3128") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ConfigError("web_proxy: give an address such as http://host:3128")
    login = (url.username.encode(), url.password.encode()) if url.username else None
    at = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=b"/")
    return GuardedTransport(httpcore.AsyncHTTPProxy(proxy_url=at, proxy_auth=login, **limits))


def public_certificates() -> ssl.SSLContext:
    """Return the certificates that httpx ships; the environment is not asked."""
    return httpx.create_ssl_context(trust_env=False)
