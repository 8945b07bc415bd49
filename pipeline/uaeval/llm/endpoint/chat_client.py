"""Build the LangChain chat model of a provider, with its address, key and settings."""

import warnings
from typing import Any, Final

import openai
from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel
from langchain_openai.chat_models.base import BaseChatOpenAI
from pydantic import ValidationError

from uaeval.errors import ConfigError
from uaeval.llm.endpoint.addresses import address_of, key_of, provider_named
from uaeval.llm.endpoint.http_client import LoopClient, PlainCompletions
from uaeval.llm.parameters import Parameters, split_name
from uaeval.redaction import redact

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
    """Return the settings under the names of each provider's class."""
    limit, url = parameters.max_tokens, address_of(provider, parameters.base_url)
    given: dict[str, Any] = {"temperature": parameters.temperature}
    if provider == "ollama":
        given |= {"num_predict": limit}
        given |= {"client_kwargs": {"timeout": timeout, "headers": _CLOSE}}
    else:
        given |= {"max_tokens": limit, "timeout": timeout, "max_retries": 0}
    given["azure_endpoint" if provider == "azure_openai" else "base_url"] = url
    given["api_key"] = key_of(provider, url)
    if provider in {"openai", "azure_openai"}:
        given |= {"http_async_client": LoopClient(), "http_socket_options": ()}
    if provider == "anthropic":
        given["default_headers"] = _CLOSE
    return {name: value for name, value in given.items() if value is not None}
