"""Where a provider's models are reached, and with which key: read from the environment."""

import os
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, TypeAdapter

from uaeval.errors import ConfigError
from uaeval.resources import shipped_table

NO_KEY: Final = "no-key-needed"
"""Sent to an endpoint of the user's own when there is no key; the providers' clients want one."""


class Provider(BaseModel):
    """What `providers.yaml` says of a provider."""

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
    """Return what is known of a provider, which may be nothing."""
    return PROVIDERS.get(name, Provider())


def address_of(provider: str, given: str | None) -> str | None:
    """Return where the provider's models are reached; `None` leaves it to the provider's client."""
    service = provider_named(provider)
    return given or next(filter(None, map(os.getenv, service.url_names)), service.url)


def key_of(provider: str, address: str | None) -> str | None:
    """Return the key for `address`; `None` leaves it to the provider's client."""
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
