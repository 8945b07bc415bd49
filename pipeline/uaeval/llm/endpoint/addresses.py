"""Where a provider's models are reached, and with which key: read from the environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from uaeval.errors import ConfigError

NO_KEY: Final = "no-key-needed"
"""Sent to an endpoint of the user's own when there is no key; the providers' clients want one."""

EXTRAS: Final[Mapping[str, str]] = {
    "anthropic": "anthropic",
    "google_genai": "google",
    "groq": "groq",
    "mistralai": "mistral",
    "ollama": "ollama",
}
"""The optional extra of this package that installs what a provider needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Service:
    """A provider's own service, which can be stood in for by a compatible endpoint."""

    url: str
    url_names: tuple[str, ...]
    """Environment variables that name another address."""
    key_name: str


_SERVICES: Final[Mapping[str, _Service]] = {
    "openai": _Service(
        url="https://api.openai.com/v1",
        url_names=("OPENAI_API_BASE", "OPENAI_BASE_URL"),
        key_name="OPENAI_API_KEY",
    ),
    "anthropic": _Service(
        url="https://api.anthropic.com",
        url_names=("ANTHROPIC_API_URL", "ANTHROPIC_BASE_URL"),
        key_name="ANTHROPIC_API_KEY",
    ),
}


def address_of(provider: str, given: str | None) -> str | None:
    """Return where the provider's models are reached; `None` leaves it to the provider's client."""
    service = _SERVICES.get(provider)
    if given or service is None:
        return given
    return next(filter(None, map(os.getenv, service.url_names)), service.url)


def key_of(provider: str, address: str | None) -> str | None:
    """Return the key for `address`; `None` leaves it to the provider's client.

    Raises:
        ConfigError: the provider's own service is asked, and there is no key for it.
    """
    service = _SERVICES.get(provider)
    if service is None or address is None:
        return None
    key = os.getenv(service.key_name)
    if not key and urlsplit(address).netloc == urlsplit(service.url).netloc:
        raise ConfigError(
            f"{provider} models need a key; set {service.key_name} in the environment, "
            "or give the base_url of an endpoint that needs none"
        )
    return key or NO_KEY


def installation_of(provider: str, package: str) -> str:
    """Return the command that installs what `provider` needs."""
    extra = EXTRAS.get(provider)
    return f'pip install "uaeval[{extra}]"' if extra else f"pip install {package}"
