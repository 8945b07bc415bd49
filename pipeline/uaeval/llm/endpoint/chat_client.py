"""Build the LangChain chat model of a provider, with its address, key and settings.

aiohttp makes the connections to OpenAI-compatible endpoints. It takes a third of the CPU time of
httpx's own transport, whose pool also slows down with every connection that it holds. Proxies and
certificates are configured by the environment as for httpx (`HTTPS_PROXY`, `NO_PROXY`,
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
from langchain_openai import ChatOpenAI
from pydantic import ValidationError

from uaeval.errors import ConfigError, FetchError
from uaeval.http_replies import LARGEST_REPLY, read_body
from uaeval.llm.endpoint.addresses import PROVIDERS, address_of, key_of, split_name
from uaeval.redaction import redact

_CLOSE: Final = {"Connection": "close"}
"""Header for clients that reuse a connection in another event loop, where they would wait forever
for the reply to a request."""


def chat_client(
    name: str, base_url: str | None, temperature: float | None, timeout: float
) -> BaseChatModel:
    """Return the client for `provider:model`; raise `ConfigError` without its package or key."""
    provider, model = split_name(name)
    # `LangChainModel` handles endpoints without schemas itself, so this advice would mislead.
    warnings.filterwarnings("ignore", message=".* OpenAI's structured output feature")
    try:
        settings = _settings(provider, base_url, temperature, timeout)
        if provider == "openai":
            return DirectChatOpenAI(model=model, **settings)
        chat: BaseChatModel = init_chat_model(model, model_provider=provider, **settings)
    except ImportError as error:
        needed = str(error).rpartition("pip install ")[2].strip("` .") or str(error)
        extra = PROVIDERS.get(provider, {}).get("extra")
        command = f'pip install "uaeval[{extra}]"' if extra else f"pip install {needed}"
        raise ConfigError(f"{name} needs another package; install it with: {command}") from error
    except (ValidationError, openai.OpenAIError) as error:
        reason = redact(" ".join(str(error).split())[:200])
        problem = f"{name} cannot be set up; set its API key in the environment ({reason})"
        raise ConfigError(problem) from None
    except ValueError as error:
        known = str(error).rpartition(": ")[2]
        raise ConfigError(f"unknown provider {provider!r}; use one of: {known}") from error
    return chat


def _settings(
    provider: str, base_url: str | None, temperature: float | None, timeout: float
) -> dict[str, Any]:
    url = address_of(provider, base_url)
    settings: dict[str, Any] = {"temperature": temperature}
    if provider == "ollama":
        settings["client_kwargs"] = {"timeout": timeout, "headers": _CLOSE}
    else:
        settings |= {"timeout": timeout, "max_retries": 0}
    settings["azure_endpoint" if provider == "azure_openai" else "base_url"] = url
    settings["api_key"] = key_of(provider, url)
    if provider in {"openai", "azure_openai"}:
        settings |= {"http_async_client": _CLIENT, "http_socket_options": ()}
    if provider == "anthropic":
        settings["default_headers"] = _CLOSE
    return {name: value for name, value in settings.items() if value is not None}


_clients: Final[dict[asyncio.AbstractEventLoop, tuple[httpx.AsyncClient, object]]] = {}
"""The client of each running event loop, with the generator that closes it."""


class LoopClient(httpx.AsyncClient):
    """A client for all event loops: it sends over the connections of the running loop."""

    def __init__(self) -> None:
        super().__init__(transport=httpx.AsyncBaseTransport())

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Return the whole reply to a request, over a connection of the running event loop.

        Raise `httpx.ReadError` if the reply is larger than `LARGEST_REPLY`, or its data is damaged.
        """
        loop = asyncio.get_running_loop()
        if loop not in _clients:
            generator = _client_of_loop(loop)
            _clients[loop] = (await anext(generator), generator)
        try:
            reply = await _clients[loop][0].send(request, **options | {"stream": True})
            async with aclosing(reply):
                body = await read_body(reply, LARGEST_REPLY)
        except FetchError as error:
            raise httpx.ReadError(str(error), request=request) from None
        except httpx.ConnectTimeout as error:
            if isinstance(error.__cause__, TimeoutError):
                raise
            # httpx_aiohttp also raises this for refused and lost connections.
            raise httpx.ConnectError(str(error), request=request) from error.__cause__
        headers = reply.headers.copy()
        headers.pop("content-encoding", None)
        return httpx.Response(reply.status_code, headers=headers, content=body, request=request)


class _NoCookies(httpx.Cookies):
    def extract_cookies(self, response: httpx.Response) -> None:
        """Store no cookies of a reply."""


class _WithoutCookies(openai.DefaultAioHttpClient):
    """Ignores cookies, whose lookup takes a fifteenth of the CPU time of a call."""

    cookies = _NoCookies()  # type: ignore[override]


async def _client_of_loop(loop: asyncio.AbstractEventLoop) -> AsyncGenerator[httpx.AsyncClient]:
    """Yield the client of a loop; it is closed with the loop's asynchronous generators."""
    socks = any(address.startswith("socks") for address in getproxies().values())
    # aiohttp supports HTTP proxies only.
    client = openai.DefaultAsyncHttpxClient() if socks else _WithoutCookies()
    async with client:
        try:
            yield client
        finally:
            del _clients[loop]


_CLIENT: Final = LoopClient()


class DirectChatOpenAI(ChatOpenAI):
    """Sends the chat request that LangChain builds, and lets LangChain parse the reply.

    It skips LangChain's callbacks, the SDK's typed copies of request and reply, and a thread for
    each reply, which take twice the CPU time of everything else.
    """

    @cached_property
    def _target(self) -> tuple[httpx.URL, httpx.Headers]:
        """The URL of chat completions, and the headers, without those about this machine."""
        client = self.root_async_client
        sdk_headers = {**client.default_headers, **client.auth_headers}
        headers = {
            name: value
            for name, value in sdk_headers.items()
            if isinstance(value, str) and not name.startswith("X-Stainless")
        }
        return client.base_url.join("chat/completions"), httpx.Headers(headers)

    async def ainvoke(self, input: LanguageModelInput, *args: Any, **kwargs: Any) -> AIMessage:
        """Return a completion; `kwargs` are fields of the request. Raise `openai.APIError`."""
        payload = self._get_request_payload(input, **kwargs)
        if self._use_responses_api(payload):
            return await super().ainvoke(input, *args, **kwargs)
        payload |= payload.pop("extra_body", None) or {}
        request = self._build_request(payload)
        try:
            response = await _CLIENT.send(request)
        except httpx.TimeoutException as error:
            raise openai.APITimeoutError(request=request) from error
        except (httpx.HTTPError, OSError, ImportError) as error:
            raise openai.APIConnectionError(request=request) from error
        if response.is_error:
            raise self.root_async_client._make_status_error_from_response(response)
        completion = json.loads(response.content)
        generation = next(iter(self._create_chat_result(completion).generations), None)
        if generation is None or not isinstance(message := generation.message, AIMessage):
            raise openai.APIResponseValidationError(response=response, body=completion)
        message.response_metadata = generation.generation_info or {}
        message.additional_kwargs["refusal"] = completion["choices"][0]["message"].get("refusal")
        return message

    def _build_request(self, body: dict[str, Any]) -> httpx.Request:
        url, headers = self._target
        content = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        # `LangChainModel` ends a call that takes too long; the client's own limit would be 600 s.
        unlimited = {"timeout": httpx.Timeout(None).as_dict()}
        return httpx.Request("POST", url, headers=headers, content=content, extensions=unlimited)
