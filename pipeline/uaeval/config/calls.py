"""Settings of the calls of models: where, how fast, at what cost."""

from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from uaeval.config.settings import Option, Settings, no_password


def _no_query(given: str | None) -> str | None:
    if given and ("@" in urlsplit(given).netloc or urlsplit(given).query):
        raise ValueError("leave name, password and query out, set a key in the environment")
    return given


BaseUrl = Annotated[str | None, AfterValidator(_no_query), AfterValidator(no_password)]
"""An endpoint of the user's own, compatible with the provider's."""


class CallSettings(Settings):
    """How fast and how often models are called; none of it decides the result."""

    concurrency: int = Field(default=8, ge=1)
    """Calls of models in flight, at the most and for as long as there is work."""
    requests_per_minute: Annotated[int | None, Option("--rpm")] = Field(default=None, ge=1)
    """Requests per minute to one model. [no limit]"""
    tokens_per_minute: Annotated[int | None, Option("--tpm")] = Field(default=None, ge=1)
    """Tokens per minute to one model, of prompts and replies together. [no limit]"""
    timeout: float = Field(default=120.0, gt=0)
    """Seconds for one attempt at a call, to the last byte of its reply."""
    max_retries: Annotated[int, Option("--retries")] = Field(default=4, ge=0)
    """Further attempts at a call that failed in a way that may pass."""


class Limits(Settings):
    """What a run may cost, over all its sittings."""

    max_cost: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """Stop at so many US dollars, over all sittings; run again to go on."""
    max_calls: int | None = Field(default=None, ge=1)
    """Stop at so many calls of models, over all sittings; run again to go on."""
    prices: Path | None = None
    """YAML file of prices beside the shipped list, in the same shape."""


class Spending(Limits):
    """How models are paid: call by call within limits, or by the batch."""

    mode: Literal["live", "batch"] = "live"
    """`live`, or `batch`: write requests to a file."""

    @model_validator(mode="after")
    def _limits_are_kept(self) -> Self:
        if self.mode == "batch" and (self.max_cost or self.max_calls):
            raise ValueError(
                "max_cost, max_calls: they limit live calls; leave them out, and see what `uaeval "
                "estimate` says before you send a batch"
            )
        return self


class PromptSettings(Settings):
    """What models are asked with."""

    prompts: Path | None = None
    """Folder whose files replace shipped prompts of the same name."""
