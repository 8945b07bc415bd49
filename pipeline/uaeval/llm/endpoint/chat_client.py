"""Build the LangChain chat model of a provider, with its address, key and settings.

aiohttp carries the connections to OpenAI-compatible endpoints: it costs a third of the CPU of
httpx's own transport, whose pool moreover slows down with every connection that it holds. Proxies
and certificates are taken from the environment as httpx takes them (`HTTPS_PROXY`, `NO_PROXY`,
`SSL_CERT_FILE` and so on).
"""

import asyncio
import json
import warnings
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cached_property
from typing import Any, Final
from urllib.request import getproxies

import httpx
import openai
from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langchain_openai import ChatOpenAI
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
        settings = _settings(provider, parameters, timeout)
        if provider == "openai":
            return DirectChatOpenAI(model=model, **settings)
        chat: BaseChatModel = init_chat_model(model, model_provider=provider, **settings)
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
        given |= {"http_async_client": _CLIENT, "http_socket_options": ()}
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
            return reply if stream else _whole(reply, await _body(reply))
        except httpx.ConnectTimeout as error:
            if isinstance(error.__cause__, TimeoutError):
                raise
            # httpx_aiohttp gives this name to a refused and to a lost connection as well.
            raise httpx.ConnectError(str(error), request=request) from error.__cause__


async def _body(reply: httpx.Response) -> bytes:
    async with aclosing(reply):
        try:
            return await read_body(reply, LARGEST)
        except FetchError as error:
            raise httpx.ReadError(str(error), request=reply.request) from None


def _whole(reply: httpx.Response, body: bytes) -> httpx.Response:
    headers = reply.headers.copy()
    headers.pop("content-encoding", None)
    return httpx.Response(
        reply.status_code,
        headers=headers,
        content=body,
        request=reply.request,
        extensions=reply.extensions,
    )


class _NoCookies(httpx.Cookies):
    def extract_cookies(self, response: httpx.Response) -> None:
        """Take none from a reply."""


class _Forgetful(openai.DefaultAioHttpClient):
    """Keeps no cookies: to look for them takes a fifteenth of the CPU of a call."""

    cookies = _NoCookies()  # type: ignore[override]


async def _open_until_the_end_of(
    loop: asyncio.AbstractEventLoop,
) -> AsyncGenerator[httpx.AsyncClient]:
    """Yield a client. Whoever ends a loop closes its asynchronous generators, and so the client."""
    socks = any(address.startswith("socks") for address in getproxies().values())
    # aiohttp speaks to HTTP proxies only.
    client = openai.DefaultAsyncHttpxClient() if socks else _Forgetful()
    async with client:
        try:
            yield client
        finally:
            del _open[loop]


_CLIENT: Final = LoopClient()


class DirectChatOpenAI(ChatOpenAI):
    """Sends a chat request as LangChain puts it together, and has LangChain read the reply.

    Between the two stand LangChain's callbacks, the SDK's typed copies of request and reply, and a
    thread for each reply; these take twice the CPU of all the rest.
    """

    @cached_property
    def _target(self) -> tuple[httpx.URL, httpx.Headers]:
        """The address of chat completions, and the headers of every request.

        Left out are those in which the SDK tells its maker of this machine.
        """
        client = self.root_async_client
        sdk_headers = {**client.default_headers, **client.auth_headers}
        headers = {
            name: value
            for name, value in sdk_headers.items()
            if isinstance(value, str) and not name.startswith("X-Stainless")
        }
        return client.base_url.join("chat/completions"), httpx.Headers(headers)

    async def ainvoke(
        self,
        input: LanguageModelInput,
        config: RunnableConfig | None = None,
        *,
        stop: list[str] | None = None,
        **kwargs: Any,
    ) -> AIMessage:
        """Request one completion with the fields of `kwargs` and of its `extra_body`.

        Raises:
            openai.APIError: the request failed, as the SDK names it.
        """
        payload = self._get_request_payload(input, stop=stop, **kwargs)
        if self._use_responses_api(payload):
            return await super().ainvoke(input, config, stop=stop, **kwargs)
        payload |= payload.pop("extra_body", None) or {}
        response, body = await self._post(self._build_request(payload))
        completion = json.loads(body)
        generation = next(iter(self._create_chat_result(completion).generations), None)
        if generation is None or not isinstance(message := generation.message, AIMessage):
            raise openai.APIResponseValidationError(response=response, body=completion)
        message.response_metadata = generation.generation_info or {}
        message.additional_kwargs["refusal"] = completion["choices"][0]["message"].get("refusal")
        return message

    def _build_request(self, body: dict[str, Any]) -> httpx.Request:
        url, headers = self._target
        content = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        # `Calls` ends a call that takes too long; the client's own limit would be 600 s.
        unlimited = {"timeout": httpx.Timeout(None).as_dict()}
        return httpx.Request("POST", url, headers=headers, content=content, extensions=unlimited)

    async def _post(self, request: httpx.Request) -> tuple[httpx.Response, bytes]:
        try:
            response = await _CLIENT.send(request, stream=True)
            body = await _body(response)
        except httpx.TimeoutException as error:
            raise openai.APITimeoutError(request=request) from error
        except (httpx.HTTPError, OSError, ImportError) as error:
            raise openai.APIConnectionError(request=request) from error
        if response.is_error:
            raise self.root_async_client._make_status_error_from_response(_whole(response, body))
        return response, body
