"""HTTP to OpenAI-compatible endpoints: connections that are kept alive, and bare requests.

aiohttp carries the connections: it costs a third of the CPU of httpx's own transport, whose pool
moreover slows down with every connection that it holds. Proxies and certificates are taken from
the environment as httpx takes them (`HTTPS_PROXY`, `NO_PROXY`, `SSL_CERT_FILE` and so on).
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final
from urllib.request import getproxies

import httpx
import openai
from openai.resources.chat import AsyncCompletions
from openai.types.chat import ChatCompletion

_open: Final[dict[asyncio.AbstractEventLoop, tuple[httpx.AsyncClient, object]]] = {}
"""The client of each running event loop, with the generator that closes it."""


class LoopClient(httpx.AsyncClient):
    """A client that may outlive an event loop: it sends over the connections of the running one."""

    def __init__(self) -> None:
        super().__init__(transport=httpx.AsyncBaseTransport())

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Send `request` over a connection of the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in _open:
            closing = _open_until_the_end_of(loop)
            _open[loop] = (await anext(closing), closing)
        try:
            return await _open[loop][0].send(request, **options)
        except httpx.ConnectTimeout as error:
            if isinstance(error.__cause__, TimeoutError):
                raise
            # httpx_aiohttp gives this name to a refused and to a lost connection as well.
            raise httpx.ConnectError(str(error), request=request) from error.__cause__


async def _open_until_the_end_of(
    loop: asyncio.AbstractEventLoop,
) -> AsyncGenerator[httpx.AsyncClient]:
    """Yield a client. Whoever ends a loop closes its asynchronous generators, and so the client."""
    socks = any(address.startswith("socks") for address in getproxies().values())
    # aiohttp speaks to HTTP proxies only.
    client = openai.DefaultAsyncHttpxClient() if socks else openai.DefaultAioHttpClient()
    async with client:
        try:
            yield client
        finally:
            del _open[loop]


class PlainCompletions(AsyncCompletions):
    """Sends a chat request as it stands; authentication and errors are the SDK's.

    The SDK searches all messages of a request for keys to rename, of which chat completions have
    none; that takes as long as sending it.
    """

    async def create(  # type: ignore[override] # only what LangChain gives when it does not stream
        self,
        *,
        extra_headers: Mapping[str, str] | None = None,
        extra_body: Mapping[str, object] | None = None,
        **body: Any,
    ) -> ChatCompletion:
        """Request one completion with the fields of `body` and of `extra_body`."""
        return await self._post(
            "/chat/completions",
            body={**body, **(extra_body or {})},
            options={"headers": dict(extra_headers or {})},
            cast_to=ChatCompletion,
        )
