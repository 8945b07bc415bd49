"""Settings of model calls: endpoint, speed and cost."""

from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from uaeval.config.settings import Option, Settings, http_url
from uaeval.llm.names import OFFLINE


def _no_query(url: str | None) -> str | None:
    if url and urlsplit(url).query:
        raise ValueError("leave the query out; set a key in the environment")
    return url


BaseUrl = Annotated[str | None, AfterValidator(http_url), AfterValidator(_no_query)]
"""The base URL of an endpoint that is compatible with the provider's."""


class CallSettings(Settings):
    """Speed and retries of model calls; they do not change the result."""

    heading: ClassVar[str] = "Speed and retries"
    concurrency: int = Field(default=8, ge=1)
    """Maximum number of model calls in flight."""
    requests_per_minute: Annotated[int | None, Option("--rpm")] = Field(default=None, ge=1)
    """Maximum number of requests per minute to one model. [no limit]"""
    tokens_per_minute: Annotated[int | None, Option("--tpm")] = Field(default=None, ge=1)
    """Maximum number of tokens per minute to one model, prompts and replies. [no limit]"""
    timeout: float = Field(default=120.0, gt=0)
    """Seconds for one attempt at a call, up to the last byte of the reply."""
    max_retries: Annotated[int, Option("--retries")] = Field(default=4, ge=0)
    """Maximum number of further attempts after a temporary failure of a call."""


class Limits(Settings):
    """Limits on the cost of a run, over all its sessions."""

    heading: ClassVar[str] = "Cost"
    max_cost: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """Stop at this cost in US dollars, over all sessions; run again to resume."""
    max_calls: int | None = Field(default=None, ge=1)
    """Stop at this many model calls, over all sessions; run again to resume."""
    prices: Path | None = None
    """YAML file of prices, in the form of the shipped list, which it adds to and replaces."""


class Spending(Limits):
    """Limits, and where the work is done; these settings do not change the result."""

    heading: ClassVar[str] = "Speed and retries"
    engine: Annotated[str, Field(pattern=r"^(local|ray(:.+)?)$")] = "local"
    """Where reading, embedding and model calls run: `local`; `ray`, on workers of Ray on this
    machine; `ray:<address>`, on those of a Ray cluster (`ray:auto`)."""

    @property
    def on_ray(self) -> bool:
        """Whether Ray does the work."""
        return self.engine != "local"

    @property
    def queued(self) -> bool:
        """Whether requests are queued and answered in rounds."""
        return self.on_ray or getattr(self, "mode", "live") == "batch"

    @model_validator(mode="after")
    def _check_engine(self) -> Self:
        if self.on_ray and (self.max_cost or self.max_calls):
            raise ValueError(
                "max_cost, max_calls: Ray workers do not enforce them; leave them out, and check "
                "the cost with `uaeval estimate`"
            )
        names = [getattr(self, name, None) for name in ("model", "verifier", "judge")]
        names += [*getattr(self, "models", ()), *getattr(self, "judges", ())]
        if not self.on_ray and any(str(name).startswith("vllm:") for name in names):
            raise ValueError("vllm:<weights> models run on Ray; add `--engine ray`")
        return self


class BatchSpending(Spending):
    """How models are called: live, in batches, or by Ray workers."""

    mode: Literal["live", "batch"] = "live"
    """`live` calls models directly; `batch` collects requests for a Batch API or a file."""

    @model_validator(mode="after")
    def _check_mode(self) -> Self:
        if self.on_ray and self.mode == "batch":
            raise ValueError("engine: on Ray requests are answered at once; leave `mode` out")
        if self.mode == "batch" and (self.max_cost or self.max_calls):
            raise ValueError(
                "max_cost, max_calls: they limit live calls; leave them out, and check the cost "
                "with `uaeval estimate` before you send a batch"
            )
        return self


SPEED_AND_COST: Final = frozenset({*CallSettings.model_fields, *BatchSpending.model_fields})
"""Names of the settings that do not affect the result."""


class PromptSettings(Settings):
    """Prompts of your own."""

    heading: ClassVar[str] = "Prompts"
    prompts: Path | None = None
    """Folder whose files replace the shipped prompts of the same path."""


class RunSettings(PromptSettings, BatchSpending, CallSettings):
    """How the models of a synthesis or an evaluation are called."""


def shared_url(name: str, first: str, first_url: str | None) -> str | None:
    """Return the first model's base URL if the model `name` has the same provider, else `None`."""
    is_shared = first == OFFLINE or name.partition(":")[0] == first.partition(":")[0]
    return first_url if is_shared and name != OFFLINE else None


def refuse_for_offline(role: str, name: str, base_url: str | None, samples: int) -> None:
    """Raise `ValueError` for settings that the offline engine does not support."""
    if name != OFFLINE:
        return
    if base_url:
        raise ValueError(f"{role}_base_url: the {role} is `offline`, which has no endpoint")
    if samples > 1:
        raise ValueError(
            f"samples: the {role} is `offline`, whose replies are always the same; leave samples "
            f"out, or name a model as {role}"
        )
