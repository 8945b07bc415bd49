"""The address and the key of a provider, read from the environment."""

import os
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, TypeAdapter

from uaeval.errors import ConfigError
from uaeval.resources import shipped_table

NO_KEY: Final = "no-key-needed"
"""Key that is sent to the user's own endpoint if there is none; the clients require one."""


class Provider(BaseModel):
    """An entry of `providers.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    extra: str | None = None
    error: str | None = None
    url: str | None = None
    url_names: tuple[str, ...] = ()
    key_name: str = ""


PROVIDERS: Final[Mapping[str, Provider]] = TypeAdapter(dict[str, Provider]).validate_python(
    shipped_table("llm/endpoint/providers.yaml")
)


def provider_named(name: str) -> Provider:
    """Return the entry of a provider; an empty one if the provider is not listed."""
    return PROVIDERS.get(name, Provider())


def address_of(provider: str, base_url: str | None) -> str | None:
    """Return the base URL of a provider's models; `None` is the default of its client."""
    service = provider_named(provider)
    return base_url or next(filter(None, map(os.getenv, service.url_names)), service.url)


def key_of(provider: str, address: str | None) -> str | None:
    """Return the key for `address`; `None` if the provider's client reads the key itself."""
    service = provider_named(provider)
    if service.url is None or address is None:
        return None
    key = os.getenv(service.key_name)
    if not key and urlsplit(address).netloc == urlsplit(service.url).netloc:
        raise ConfigError(
            f"{provider} models need a key; set {service.key_name} in the environment, "
            "or give the base_url of an endpoint that needs none"
        )
    return key or NO_KEY
