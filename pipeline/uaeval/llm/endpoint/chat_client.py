"""Build the LangChain chat model of a provider, with its address, key and settings.

aiohttp carries the connections to OpenAI-compatible endpoints: it costs a third of the CPU of
httpx's own transport, whose pool moreover slows down with every connection that it holds. Proxies
and certificates are taken from the environment as httpx takes them (`HTTPS_PROXY`, `NO_PROXY`,
`SSL_CERT_FILE` and so on).
"""

import asyncio
import warnings
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Final
from urllib.request import getproxies

import httpx
import openai
from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel
from langchain_openai.chat_models.base import BaseChatOpenAI
from openai.resources.chat import AsyncCompletions
from openai.types.chat import ChatCompletion
from pydantic import ValidationError

from uaeval.errors import ConfigError, FetchError
from uaeval.http_replies import read_body
from uaeval.llm.endpoint.addresses import address_of, key_of, provider_named
from uaeval.llm.parameters import Parameters, split_name
from uaeval.redaction import redact

LARGEST: Final = 16_000_000
"""Bytes of a reply, unpacked."""
_CLOSE: Final = {"Connection": "close"}
"""For clients that would take a connection of one event loop to the next, and wait there for ever
for the answer to a request that was sent, and is then sent again."""


def chat_client(name: str, parameters: Parameters, timeout: float) -> BaseChatModel:
    """Return the client for `provider:model`; `ConfigError` if a package or key is missing."""
    provider, model = split_name(name)
    # The model gives way to an endpoint without schemas by itself; advice would mislead.
    warnings.filterwarnings("ignore", message=".* OpenAI's structured output feature")
    try:
        chat: BaseChatModel = init_chat_model(
            model, model_provider=provider, **_settings(provider, parameters, timeout)
        )
    except ImportError as error:
        needed = str(error).rpartition("pip install ")[2].strip("` .") or str(error)
        extra = provider_named(provider).extra
        command = f'pip install "uaeval[{extra}]"' if extra else f"pip install {needed}"
        raise ConfigError(f"{name} needs another package; install it with: {command}") from error
    except (ValidationError, openai.OpenAIError) as error:
        raise ConfigError(
            f"{name} cannot be set up; set its API key in the environment "
            f"({redact(' '.join(str(error).split())[:200])})"
        ) from None
    except ValueError as error:
        known = str(error).rpartition(": ")[2]
        raise ConfigError(f"unknown provider {provider!r}; use one of: {known}") from error
    if isinstance(chat, BaseChatOpenAI):
        chat.async_client = PlainCompletions(chat.root_async_client)
    return chat


def _settings(provider: str, parameters: Parameters, timeout: float) -> dict[str, Any]:
    url = address_of(provider, parameters.base_url)
    given: dict[str, Any] = {"temperature": parameters.temperature}
    if provider == "ollama":
        given["client_kwargs"] = {"timeout": timeout, "headers": _CLOSE}
    else:
        given |= {"timeout": timeout, "max_retries": 0}
    given["azure_endpoint" if provider == "azure_openai" else "base_url"] = url
    given["api_key"] = key_of(provider, url)
    if provider in {"openai", "azure_openai"}:
        given |= {"http_async_client": LoopClient(), "http_socket_options": ()}
    if provider == "anthropic":
        given["default_headers"] = _CLOSE
    return {name: value for name, value in given.items() if value is not None}


# --- connections to OpenAI-compatible endpoints -------------------------------------------------

_open: Final[dict[asyncio.AbstractEventLoop, tuple[httpx.AsyncClient, object]]] = {}
"""The client of each running event loop, with the generator that closes it."""


class LoopClient(httpx.AsyncClient):
    """A client that may outlive an event loop: it sends over the connections of the running one."""

    def __init__(self) -> None:
        super().__init__(transport=httpx.AsyncBaseTransport())

    async def send(
        self, request: httpx.Request, *, stream: bool = False, **options: Any
    ) -> httpx.Response:
        """Send `request` over a connection of the running event loop.

        Raises:
            httpx.ReadError: the reply is larger than `LARGEST`, or its compressed data is damaged.
        """
        loop = asyncio.get_running_loop()
        if loop not in _open:
            closing = _open_until_the_end_of(loop)
            _open[loop] = (await anext(closing), closing)
        try:
            reply = await _open[loop][0].send(request, stream=True, **options)
            return reply if stream else await _whole(reply)
        except httpx.ConnectTimeout as error:
            if isinstance(error.__cause__, TimeoutError):
                raise
            # httpx_aiohttp gives this name to a refused and to a lost connection as well.
            raise httpx.ConnectError(str(error), request=request) from error.__cause__


async def _whole(reply: httpx.Response) -> httpx.Response:
    headers = reply.headers.copy()
    headers.pop("content-encoding", None)
    async with aclosing(reply):
        try:
            body = await read_body(reply, LARGEST)
        except FetchError as error:
            raise httpx.ReadError(str(error), request=reply.request) from None
    return httpx.Response(
        reply.status_code,
        headers=headers,
        content=body,
        request=reply.request,
        extensions=reply.extensions,
    )


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
