"""Who plays which part: the models of a run, built from their names."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Self

from uaeval.config import EvaluationConfig, SynthesisConfig
from uaeval.errors import ConfigError
from uaeval.llm.model import Model
from uaeval.llm.pace import MOST_AT_ONCE, Pace
from uaeval.llm.parameters import RULES, Parameters, Usage
from uaeval.llm.store import ResponseStore, StoredModel
from uaeval.prompts import PromptLibrary
from uaeval.run_folder import ModelUsage


class Role(StrEnum):
    """The parts that a model can play."""

    GENERATOR = "generator"
    FALLBACK = "fallback"
    """The author where a content filter blocks the generator: always `rules`."""
    VERIFIER = "verifier"
    JUDGE = "judge"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """One model and how it is called."""

    name: str = RULES
    """`rules`, or `provider:model`."""
    base_url: str | None = None
    temperature: float | None = 0.0
    max_tokens: int | None = None
    concurrency: int = MOST_AT_ONCE
    """Calls under way at once, at the most."""
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    timeout: float = 120.0
    """Seconds for one attempt at a call."""
    max_retries: int = 4
    batch: bool = False
    """Write requests to a batch file instead of calling."""

    @classmethod
    def of(cls, config: SynthesisConfig | EvaluationConfig, name: str) -> Self:
        """Return how the model called `name` is called in a run with these settings."""
        return cls(
            name=name,
            base_url=config.base_url,
            concurrency=config.concurrency,
            requests_per_minute=config.requests_per_minute,
            tokens_per_minute=config.tokens_per_minute,
            timeout=config.timeout,
            max_retries=config.max_retries,
            batch=config.mode == "batch",
        )


class Models:
    """The models of one run, by role; equal settings share one model."""

    def __init__(
        self,
        settings: Mapping[Role, ModelSettings],
        prompts: PromptLibrary,
        *,
        store: ResponseStore | None = None,
    ) -> None:
        self._settings = dict(settings)
        self._prompts = prompts
        self._store = store
        self._built: dict[ModelSettings, Model] = {}

    def __getitem__(self, role: Role) -> Model:
        """Return the model that plays `role`; without settings that is `rules`."""
        settings = self._settings.get(role, ModelSettings())
        if settings not in self._built:
            self._built[settings] = build_model(settings, self._prompts, store=self._store)
        return self._built[settings]

    def usage(self) -> dict[str, Usage]:
        """Return the calls and tokens so far of each model that was called, by name."""
        total: dict[str, Usage] = {}
        for model in self._built.values():
            used = usage_of(model)
            if used is not None:
                total[model.name] = total.get(model.name, Usage()) + used
        return total


def with_usage(
    before: Mapping[str, ModelUsage], used: Mapping[str, Usage]
) -> dict[str, ModelUsage]:
    """Add what was used in this sitting to that of the sittings before."""
    total: dict[str, ModelUsage] = {}
    for name in sorted({*before, *used}):
        earlier = before.get(name, ModelUsage())
        now = asdict(used.get(name, Usage()))
        total[name] = ModelUsage(**{key: getattr(earlier, key) + now[key] for key in now})
    return total


def build_model(
    settings: ModelSettings | str,
    prompts: PromptLibrary,
    *,
    store: ResponseStore | None = None,
) -> Model:
    """Build the model called `rules` or `provider:model`; with a store its replies are kept.

    The rules are not stored: they answer the same at once, and for nothing.

    Raises:
        ConfigError: the name is unknown, a package or key is missing, or batch has no store.
    """
    if isinstance(settings, str):
        settings = ModelSettings(name=settings)
    if settings.name == RULES:
        from uaeval.llm.rules.model import RuleModel

        return RuleModel()
    if settings.batch:
        return _batch_model(settings, prompts, store)
    return _called_model(settings, prompts, store)


def usage_of(model: Model) -> Usage | None:
    """Return what a model was called for, or `None` if it makes no calls."""
    inner = model.inner if isinstance(model, StoredModel) else model
    used = getattr(inner, "usage", None)
    return used if isinstance(used, Usage) else None


def _batch_model(
    settings: ModelSettings, prompts: PromptLibrary, store: ResponseStore | None
) -> Model:
    from uaeval.llm.batch import BatchModel

    if store is None:
        raise ConfigError(f"{settings.name} in batches needs a run folder for its requests")
    return BatchModel(settings.name, store, prompts, parameters=_parameters(settings))


def _called_model(
    settings: ModelSettings, prompts: PromptLibrary, store: ResponseStore | None
) -> Model:
    from uaeval.llm.langchain import LangChainModel

    model = LangChainModel(
        settings.name,
        prompts,
        base_url=settings.base_url,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        timeout=settings.timeout,
        max_retries=settings.max_retries,
        pace=Pace(
            concurrency=settings.concurrency,
            requests_per_minute=settings.requests_per_minute,
            tokens_per_minute=settings.tokens_per_minute,
        ),
    )
    if store is None:
        return model
    return StoredModel(model, store, prompts, parameters=model.parameters)


def _parameters(settings: ModelSettings) -> Parameters:
    return Parameters(
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        base_url=settings.base_url,
    )
