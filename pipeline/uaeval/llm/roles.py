"""Build the models of a run, by role."""

from collections import defaultdict
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import AfterValidator

from uaeval.config import CallSettings, RunConfig
from uaeval.errors import RunAborted
from uaeval.llm.endpoint.addresses import split_name
from uaeval.llm.endpoint.rate_limiter import MOST_AT_ONCE, RateLimiter, RequestSlots
from uaeval.llm.ledger import Ledger, LedgerEntry
from uaeval.llm.model import Model
from uaeval.llm.names import OFFLINE
from uaeval.llm.stored_model import BatchModel, StoreBackedModel, StoredModel
from uaeval.llm.usage import Usage
from uaeval.prompts import PromptLibrary
from uaeval.run_folder import ModelUsage, Price

if TYPE_CHECKING:
    from uaeval.llm.endpoint.langchain import LangChainModel


class Role(StrEnum):
    """What a model is used for in a run."""

    GENERATOR = "generator"
    VERIFIER = "verifier"
    JUDGE = "judge"
    SYSTEM = "system"


_ROLES: Mapping[str, Role] = {
    "generate": Role.GENERATOR,
    "complete": Role.GENERATOR,
    "verify": Role.VERIFIER,
    "verify_readings": Role.VERIFIER,
}


def role_of(prompt: str) -> Role:
    """Return the role that a prompt is for; the judge's, unless `_ROLES` says otherwise."""
    folder, _, last = prompt.rpartition("/")
    return Role.SYSTEM if folder == "rag" else _ROLES.get(last, Role.JUDGE)


def _checked(name: str) -> str:
    if name != OFFLINE:
        split_name(name)
    return name


class ModelSettings(CallSettings):
    """The settings of one model and its calls."""

    name: Annotated[str, AfterValidator(_checked)] = OFFLINE
    """`offline`, or `provider:model`."""
    base_url: str | None = None
    concurrency: int = MOST_AT_ONCE
    samples: int = 1
    """Independent replies to each prompt; the label of the majority counts."""
    batch: bool = False
    """Whether requests are queued for a batch file, or for Ray, instead of sent."""
    on_ray: bool = False
    """Whether Ray workers send the queued requests, to any provider."""

    @classmethod
    def of(cls, config: RunConfig, name: str, base_url: str | None, samples: int = 1) -> Self:
        """Return the settings of the model `name` in a run; `offline` has no base URL."""
        return cls(
            name=name,
            base_url=None if name == OFFLINE else base_url,
            samples=samples,
            batch=config.queued,
            on_ray=config.on_ray,
            **config.model_dump(include=set(CallSettings.model_fields)),
        )

    @property
    def temperature(self) -> float:
        """The temperature of its calls; several samples need one above 0 to differ."""
        return 0.7 if self.samples > 1 else 0.0

    def rate_limiter(self, slots: RequestSlots | None = None) -> RateLimiter:
        """Return a new rate limiter for its calls."""
        limits = {"concurrency", "requests_per_minute", "tokens_per_minute"}
        return RateLimiter(**self.model_dump(include=limits), slots=slots or RequestSlots())

    def build_live(
        self, prompts: PromptLibrary, temperature: float | None, rate_limiter: RateLimiter
    ) -> "LangChainModel":
        """Return a model that sends its requests at once; raise `ConfigError` without its key."""
        from uaeval.llm.endpoint.langchain import LangChainModel

        more = self.model_dump(include={"base_url", "timeout", "max_retries"})
        more |= {"temperature": temperature, "rate_limiter": rate_limiter}
        return LangChainModel(self.name, prompts, **more)


@dataclass(eq=False)
class Models:
    """The models of one run, by role; equal settings share one model.

    At most `concurrency` calls to all models together are in flight at once.
    """

    settings: Mapping[Role, ModelSettings]
    prompts: PromptLibrary
    ledger: Ledger
    """Counts the calls and enforces their limits; its store keeps the replies."""
    concurrency: int = 8

    def __post_init__(self) -> None:
        self._slots = RequestSlots(self.concurrency)
        self._built: dict[ModelSettings, Model] = {}
        self._rate_limiters: dict[tuple[str, str | None], RateLimiter] = {}
        """By model and base URL; models that differ only in other settings share a limiter."""

    def __getitem__(self, role: Role) -> Model:
        """Return the model of `role`; the offline engine if there are no settings for it."""
        return self.built(self.settings.get(role, ModelSettings()))

    def built(self, settings: ModelSettings) -> Model:
        """Return the model with these settings, the same object each time.

        Replies are stored, except those of the offline engine, which cost nothing. Raise
        `ConfigError` if the name is unknown, or a package or key is missing.
        """
        if settings not in self._built:
            self._built[settings] = self._build(settings)
        return self._built[settings]

    def _build(self, settings: ModelSettings) -> Model:
        if settings.name == OFFLINE:
            from uaeval.offline.model import OfflineModel

            return OfflineModel()
        arguments = (settings.name, self.ledger.store, self.prompts, settings.temperature)
        if settings.batch:
            return BatchModel(*arguments, any_provider=settings.on_ray)
        self.ledger.require_price(settings.name)
        key = (settings.name, settings.base_url)
        rate_limiter = self._rate_limiters.setdefault(key, settings.rate_limiter(self._slots))
        model = settings.build_live(self.prompts, settings.temperature, rate_limiter)
        return StoredModel(*arguments, inner=model, ledger=self.ledger)

    def samples(self, role: Role) -> tuple[Model, ...]:
        """Return one model per sample of `role`; the settings allow the offline engine only one."""
        model, count = self[role], self.settings.get(role, ModelSettings()).samples
        if count == 1:
            return (model,)
        assert isinstance(model, StoreBackedModel)
        samples = [copy(model) for _ in range(count)]
        for number, sample in enumerate(samples):
            sample.sample = number
        return tuple(samples)

    @property
    def in_use(self) -> frozenset[ModelSettings]:
        """The settings of every model that has a role or was built."""
        return frozenset((*self.settings.values(), *self._built))

    def prices(self) -> dict[str, Price]:
        """Return the prices of the models in use, by name; unknown prices are left out."""
        names = {settings.name for settings in self.in_use}
        prices = {name: self.ledger.prices.price(name) for name in sorted(names)}
        return {name: price for name, price in prices.items() if price is not None}

    def close(self) -> None:
        """Start no call and queue no request from now on; waiting calls raise `RunAborted`."""
        self._slots.close(RunAborted("The run needs no further calls."))
        self.ledger.store.accepts_requests = False

    async def settle(self) -> None:
        """Wait until every call in flight has ended and its reply is stored."""
        for model in self._built.values():
            if isinstance(model, StoredModel):
                await model.settle()


def role_usage(ledger: Ledger) -> list[ModelUsage]:
    """Return the usage of a ledger, summed by role and model, in the order of the roles."""
    by_role = defaultdict[tuple[Role, str], list[LedgerEntry]](list)
    for entry in ledger.entries():
        by_role[role_of(entry.prompt), entry.model].append(entry)
    usage = []
    for role, model in sorted(by_role, key=lambda key: (list(Role).index(key[0]), key[1])):
        entries = by_role[role, model]
        counts = sum(entries, Usage()).model_dump(exclude={"without_usage"})
        cost = ledger.cost(*entries)
        cost_usd = None if cost is None else round(cost, 8)
        usage.append(ModelUsage(role=role, model=model, **counts, cost_usd=cost_usd))
    return usage
