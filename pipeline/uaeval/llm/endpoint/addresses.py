"""The name, address and key of a provider; address and key are read from the environment."""

import os
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from uaeval.errors import ConfigError
from uaeval.llm.names import OFFLINE
from uaeval.resources import shipped_table

NO_KEY: Final = "no-key-needed"
"""Key that is sent to the user's own endpoint if there is none; the clients require one."""


PROVIDERS: Final[Mapping[str, Mapping[str, Any]]] = shipped_table("llm/endpoint/providers.yaml")
"""What is known of each provider; `providers.yaml` explains the keys."""


def split_name(name: str) -> tuple[str, str]:
    """Return provider and model of `provider:model`; the model's name may contain colons."""
    provider, colon, model = name.partition(":")
    if not (colon and provider.strip() and model.strip()):
        raise ConfigError(
            f"{name!r} is not a model; write `{OFFLINE}` or provider:model, such as "
            "openai:gpt-4.1-mini"
        )
    return provider.strip(), model.strip()


def address_of(provider: str, base_url: str | None) -> str | None:
    """Return the base URL of a provider's models; `None` is the default of its client."""
    service = PROVIDERS.get(provider, {})
    named = filter(None, map(os.getenv, service.get("url_names", [])))
    return base_url or next(named, service.get("url"))


def key_of(provider: str, address: str | None) -> str | None:
    """Return the key for `address`; `None` if the provider's client reads the key itself."""
    service = PROVIDERS.get(provider, {})
    if "url" not in service or address is None:
        return None
    key = os.getenv(service["key_name"])
    if not key and urlsplit(address).netloc == urlsplit(service["url"]).netloc:
        raise ConfigError(
            f"{provider} models need a key; set {service['key_name']} in the environment, "
            "or give the base_url of an endpoint that needs none"
        )
    return key or NO_KEY


def public_url(url: str) -> str:
    """Return an http(s) `url` without credentials, query and trailing slash."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ConfigError("base_url should be an address such as http://localhost:8000/v1")
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
