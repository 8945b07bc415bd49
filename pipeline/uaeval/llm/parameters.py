"""What a model is called with and what it used; the key under which a reply is kept."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias
from urllib.parse import urlsplit, urlunsplit

from pydantic import AliasChoices, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from uaeval.errors import ConfigError
from uaeval.llm.names import OFFLINE
from uaeval.llm.replies import Reply
from uaeval.prompts import Field as PromptField
from uaeval.prompts import Prompt, as_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """How a model is called, besides the prompt."""

    temperature: float | None = 0.0
    """`None` leaves it to the endpoint (some reasoning models accept no other)."""
    base_url: str | None = None
    """Where it is called; `None` is the provider's own endpoint. Not part of a stored reply's key:
    the same model may move to another address."""
    sample: int = 0
    """Which of several independent replies to the same question."""


def _tokens(reported: object) -> int:
    """Return the tokens that an endpoint reports; 0 if it reports no number that can be true."""
    return reported if isinstance(reported, int) and 0 <= reported < 2**53 else 0


Tokens: TypeAlias = Annotated[int, BeforeValidator(_tokens)]


class TokenCounts(BaseModel):
    """The tokens of completions, as OpenAI and as LangChain report them."""

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
    """A part of the prompt tokens."""


class Usage(TokenCounts):
    """What one model was called for so far."""

    calls: int = 0
    """Requests sent, those that failed and those sent again included."""
    retries: int = 0
    """Of the calls, those that tried again what had failed."""
    rate_limited: int = 0
    """Calls that were answered by HTTP 429."""
    timeouts: int = 0
    without_usage: int = 0
    """Of the calls, those whose endpoint did not say how many tokens they took."""

    @classmethod
    def reported(cls, used: object, *, calls: int = 0) -> "Usage":
        """Return the usage of one completion as its endpoint reports it."""
        if not isinstance(used, Mapping):
            return cls(calls=calls, without_usage=1)
        return cls(calls=calls, **dict(TokenCounts.model_validate(used)))

    @property
    def asked(self) -> int:
        """Calls without the retries: each of these follows a call without usage."""
        return self.calls - self.retries

    def __add__(self, other: "Usage") -> "Usage":
        names = Usage.model_fields
        sums = {name: getattr(self, name) + getattr(other, name) for name in names}
        return Usage.model_construct(**sums)


class Request(BaseModel):
    """One question to one model. Equal questions have equal keys."""

    model_config = ConfigDict(frozen=True)

    key: str
    model: str
    prompt: str
    reply_type: str
    """The `__name__` of the type."""


def make_request(
    model: str,
    parameters: Parameters,
    prompt: Prompt,
    reply_type: type[Reply],
    fields: Mapping[str, PromptField],
) -> Request:
    """Name the question by everything that its answer depends on, which no address is."""
    prompt.check(fields)
    identity = {
        "model": model,
        "temperature": None if parameters.temperature is None else float(parameters.temperature),
        "sample": parameters.sample,
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
        raise ConfigError("base_url wants an address such as http://localhost:8000/v1")
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))


def split_name(name: str) -> tuple[str, str]:
    """Split `provider:model`; the model's own name may hold further colons."""
    provider, colon, model = name.partition(":")
    if not (colon and provider.strip() and model.strip()):
        raise ConfigError(
            f"{name!r} names no model; write `{OFFLINE}` or provider:model, such as "
            "openai:gpt-4.1-mini"
        )
    return provider.strip(), model.strip()
