"""The calls and tokens of models, and their collection while a request is made."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Final, TypeAlias

from pydantic import AliasChoices, AliasPath, BaseModel, BeforeValidator, Field


def _tokens(value: object) -> int:
    """Return the tokens that an endpoint reports; 0 if that is not a plausible number."""
    return value if isinstance(value, int) and 0 <= value < 2**53 else 0


Tokens: TypeAlias = Annotated[int, BeforeValidator(_tokens)]


class TokenCounts(BaseModel, frozen=True, validate_by_name=True):
    """The tokens of completions; the fields have the names of OpenAI, or those of LangChain."""

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


class Usage(TokenCounts, frozen=True):
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

    @property
    def tokens(self) -> int | None:
        """Tokens of prompts and replies; `None` if the endpoint did not report them."""
        return None if self.without_usage else self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Usage") -> "Usage":
        sums = {name: getattr(self, name) + getattr(other, name) for name in Usage.model_fields}
        return Usage.model_construct(**sums)


_COLLECTED: Final[ContextVar[list[Usage]]] = ContextVar("collected")


@contextmanager
def collect_usage() -> Iterator[list[Usage]]:
    """Yield a list to which `record_usage` adds the usage inside."""
    collected: list[Usage] = []
    token = _COLLECTED.set(collected)
    try:
        yield collected
    finally:
        _COLLECTED.reset(token)


def record_usage(usage: Usage) -> None:
    """Add usage to the list of the innermost `collect_usage`, if there is one."""
    _COLLECTED.get([]).append(usage)
