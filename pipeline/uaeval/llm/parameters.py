"""Requests to a model: the key of the stored reply, the usage, and the names of models."""

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, TypeAlias
from urllib.parse import urlsplit, urlunsplit

from pydantic import AliasChoices, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from uaeval.errors import ConfigError
from uaeval.llm.names import OFFLINE
from uaeval.llm.replies import Reply
from uaeval.prompts import Field as PromptField
from uaeval.prompts import Prompt, as_text


def _tokens(value: object) -> int:
    """Return the tokens that an endpoint reports; 0 if that is not a plausible number."""
    return value if isinstance(value, int) and 0 <= value < 2**53 else 0


Tokens: TypeAlias = Annotated[int, BeforeValidator(_tokens)]


class TokenCounts(BaseModel):
    """The tokens of completions; the fields have the names of OpenAI, or those of LangChain."""

    model_config = ConfigDict(frozen=True, validate_by_name=True)

    prompt_tokens: Tokens = Field(
        default=0, validation_alias=AliasChoices("prompt_tokens", "input_tokens")
    )
    completion_tokens: Tokens = Field(
        default=0, validation_alias=AliasChoices("completion_tokens", "output_tokens")
    )
    cached_tokens: Tokens = Field(
        default=0,
        validation_alias=AliasChoices(
            AliasPath("prompt_tokens_details", "cached_tokens"),
            AliasPath("input_token_details", "cache_read"),
        ),
    )
    """Prompt tokens that came from the provider's cache."""


class Usage(TokenCounts):
    """The calls to a model and their tokens."""

    calls: int = 0
    """Requests sent, including failed ones and retries."""
    retries: int = 0
    """Calls that repeated a failed one."""
    rate_limited: int = 0
    """Calls that were answered by HTTP 429."""
    timeouts: int = 0
    without_usage: int = 0
    """Calls whose endpoint did not report the tokens."""

    @classmethod
    def reported(cls, usage: object, *, calls: int = 0) -> "Usage":
        """Return the usage that an endpoint reports of one completion."""
        if not isinstance(usage, Mapping):
            return cls(calls=calls, without_usage=1)
        return cls(calls=calls, **dict(TokenCounts.model_validate(usage)))

    @property
    def first_attempts(self) -> int:
        """Calls without the retries, each of which follows a call without usage."""
        return self.calls - self.retries

    def __add__(self, other: "Usage") -> "Usage":
        sums = {name: getattr(self, name) + getattr(other, name) for name in Usage.model_fields}
        return Usage.model_construct(**sums)


class Request(BaseModel):
    """One request to one model. Equal requests have equal keys."""

    model_config = ConfigDict(frozen=True)

    key: str
    model: str
    prompt: str
    reply_type: str
    """The `__name__` of the reply type."""


def make_request(
    model: str,
    prompt: Prompt,
    reply_type: type[Reply],
    fields: Mapping[str, PromptField],
    temperature: float | None = 0.0,
    sample: int = 0,
) -> Request:
    """Return a request whose key is a hash of everything that the reply depends on.

    The address of the endpoint is no part of it, because a model may move to another address.
    """
    prompt.check(fields)
    identity = {
        "model": model,
        "temperature": None if temperature is None else float(temperature),
        "sample": sample,
        "prompt": prompt.name,
        "prompt_sha256": prompt.sha256,
        "reply_type": reply_type.__name__,
        "fields": {name: as_text(value) for name, value in fields.items()},
    }
    canonical = json.dumps(identity, sort_keys=True, separators=(",", ":"))
    return Request(
        key=hashlib.sha256(canonical.encode()).hexdigest(),
        model=model,
        prompt=prompt.name,
        reply_type=reply_type.__name__,
    )


def public_url(url: str) -> str:
    """Return an http(s) `url` without credentials, query and trailing slash."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ConfigError("base_url should be an address such as http://localhost:8000/v1")
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))


def split_name(name: str) -> tuple[str, str]:
    """Return provider and model of `provider:model`; the model's name may contain colons."""
    provider, colon, model = name.partition(":")
    if not (colon and provider.strip() and model.strip()):
        raise ConfigError(
            f"{name!r} is not a model; write `{OFFLINE}` or provider:model, such as "
            "openai:gpt-4.1-mini"
        )
    return provider.strip(), model.strip()
