"""Who plays which part: the models of a run, built from their names."""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

from uaeval.errors import ConfigError
from uaeval.llm.gate import GatedModel
from uaeval.llm.model import Model
from uaeval.llm.parameters import RULES, Parameters, Usage
from uaeval.llm.store import ResponseStore, StoredModel
from uaeval.prompts import PromptLibrary
from uaeval.run_folder import ModelUsage

VOTING_TEMPERATURE: Final = 0.7


class Role(StrEnum):
    """The parts that a model can play."""

    GENERATOR = "generator"
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
    timeout: float = 120.0
    max_retries: int = 4
    samples: int = 1
    """Independent replies to each question, of which the majority counts."""
    batch: bool = False
    """Write requests to a batch file instead of calling."""

    @property
    def sampling_temperature(self) -> float | None:
        """The temperature in use: at 0 several replies would be the same one again."""
        voting = self.samples > 1 and self.temperature == 0
        return VOTING_TEMPERATURE if voting else self.temperature


class Models:
    """The models of one run, by role; equal settings share one model.

    No more than `concurrency` calls are in flight at once, over all of them.
    """

    def __init__(
        self,
        settings: Mapping[Role, ModelSettings],
        prompts: PromptLibrary,
        *,
        store: ResponseStore | None = None,
        concurrency: int = 8,
    ) -> None:
        self._gate = asyncio.Semaphore(concurrency)
        self._settings = dict(settings)
        self._prompts = prompts
        self._store = store
        self._built: dict[ModelSettings, Model] = {}

    def __getitem__(self, role: Role) -> Model:
        """Return the model that plays `role`; without settings that is `rules`."""
        settings = self._settings.get(role, ModelSettings())
        if settings not in self._built:
            self._built[settings] = build_model(
                settings, self._prompts, store=self._store, gate=self._gate
            )
        return self._built[settings]

    def samples(self, role: Role) -> tuple[Model, ...]:
        """Return the models that vote in `role`: each answers every question independently.

        Raises:
            ConfigError: there are to be several, and the model always answers the same.
        """
        from uaeval.llm.batch import BatchModel

        model, count = self[role], self._settings.get(role, ModelSettings()).samples
        if count == 1:
            return (model,)
        if not isinstance(model, StoredModel | BatchModel):
            raise ConfigError(
                f"{model.name} always answers the same, so that no majority can be taken; "
                f"leave samples out, or take another {role}"
            )
        return (model, *(model.sample(number) for number in range(1, count)))

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
    gate: asyncio.Semaphore | None = None,
) -> Model:
    """Build the model called `rules` or `provider:model`; with a store its replies are kept.

    The rules are not stored: they answer the same at once, and for nothing. Calls pass `gate`.

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
    return _called_model(settings, prompts, store, gate)


def usage_of(model: Model) -> Usage | None:
    """Return what a model was called for, or `None` if it makes no calls."""
    while isinstance(model, StoredModel | GatedModel):
        model = model.inner
    used = getattr(model, "usage", None)
    return used if isinstance(used, Usage) else None


def _batch_model(
    settings: ModelSettings, prompts: PromptLibrary, store: ResponseStore | None
) -> Model:
    from uaeval.llm.batch import BatchModel

    if store is None:
        raise ConfigError(f"{settings.name} in batches needs a run folder for its requests")
    return BatchModel(settings.name, store, prompts, parameters=_parameters(settings))


def _called_model(
    settings: ModelSettings,
    prompts: PromptLibrary,
    store: ResponseStore | None,
    gate: asyncio.Semaphore | None,
) -> Model:
    from uaeval.llm.langchain import LangChainModel

    called = LangChainModel(
        settings.name,
        prompts,
        base_url=settings.base_url,
        temperature=settings.sampling_temperature,
        max_tokens=settings.max_tokens,
        timeout=settings.timeout,
        max_retries=settings.max_retries,
    )
    model = GatedModel(called, gate) if gate else called
    if store is None:
        return model
    return StoredModel(model, store, prompts, parameters=called.parameters)


def _parameters(settings: ModelSettings) -> Parameters:
    return Parameters(
        temperature=settings.sampling_temperature,
        max_tokens=settings.max_tokens,
        base_url=settings.base_url,
    )
