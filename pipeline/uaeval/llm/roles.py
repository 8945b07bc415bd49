"""The models of a run by role, built from their names."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final, Self

from pydantic import AfterValidator

from uaeval.config import CallSettings, EvaluationConfig, GradingConfig, SynthesisConfig
from uaeval.errors import RunAborted
from uaeval.llm.endpoint.rate_limiter import MOST_AT_ONCE, RateLimiter, RequestSlots
from uaeval.llm.ledger import Ledger, LedgerEntry
from uaeval.llm.model import Model
from uaeval.llm.names import OFFLINE
from uaeval.llm.parameters import Parameters, Usage, split_name
from uaeval.llm.stored_model import KeptModel, StoredModel
from uaeval.prompts import PromptLibrary
from uaeval.run_folder import ModelUsage, Price

if TYPE_CHECKING:
    from uaeval.llm.endpoint.langchain import LangChainModel

VOTING_TEMPERATURE: Final = 0.7


class Role(StrEnum):
    """What a model does in a run."""

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
_OF_SYSTEM = "rag"
"""The folder of the prompts of the built-in RAG."""


def role_of(prompt: str) -> Role:
    """Return the role that a prompt belongs to; all but those of `_ROLES` are a judge's."""
    folder, _, last = prompt.rpartition("/")
    return Role.SYSTEM if folder == _OF_SYSTEM else _ROLES.get(last, Role.JUDGE)


def _checked(name: str) -> str:
    if name != OFFLINE:
        split_name(name)
    return name


class ModelSettings(CallSettings):
    """One model and how it is called."""

    name: Annotated[str, AfterValidator(_checked)] = OFFLINE
    """`offline`, or `provider:model`."""
    base_url: str | None = None
    concurrency: int = MOST_AT_ONCE
    samples: int = 1
    """Independent replies to each question, of which the majority counts."""
    batch: bool = False
    """Queue requests for a batch file, or for Ray, instead of calling."""
    on_ray: bool = False
    """Its requests are sent from the workers of Ray, to any provider."""

    @classmethod
    def of(
        cls,
        config: SynthesisConfig | EvaluationConfig | GradingConfig,
        name: str,
        base_url: str | None,
        samples: int = 1,
    ) -> Self:
        """Return the settings of the model `name` in a run; `offline` has no endpoint."""
        return cls(
            name=name,
            base_url=None if name == OFFLINE else base_url,
            samples=samples,
            batch=config.queued,
            on_ray=config.on_ray,
            **config.model_dump(include=set(CallSettings.model_fields)),
        )

    @property
    def parameters(self) -> Parameters:
        """What its replies depend on; at temperature 0 several would be the same one again."""
        temperature = VOTING_TEMPERATURE if self.samples > 1 else 0.0
        return Parameters(temperature=temperature, base_url=self.base_url)

    def pace(self, room: RequestSlots | None = None) -> RateLimiter:
        """Return a new limiter of its calls."""
        limits = {"concurrency", "requests_per_minute", "tokens_per_minute"}
        return RateLimiter(**self.model_dump(include=limits), room=room)

    def live(
        self, prompts: PromptLibrary, parameters: Parameters, pace: RateLimiter
    ) -> "LangChainModel":
        """Return the model that is called at once; `ConfigError` if it cannot be had."""
        from uaeval.llm.endpoint.langchain import LangChainModel

        return LangChainModel(
            self.name,
            prompts,
            parameters,
            timeout=self.timeout,
            max_retries=self.max_retries,
            pace=pace,
        )


@dataclass(eq=False)
class Models:
    """The models of one run, by role; equal settings share one model.

    No more than `concurrency` calls are in flight at once, over all of them.
    """

    settings: Mapping[Role, ModelSettings]
    prompts: PromptLibrary
    ledger: Ledger
    """Counts the calls, and ends them at its limits; replies are kept in its store."""
    concurrency: int = 8

    def __post_init__(self) -> None:
        """Begin without any model: each is built when it is first asked for."""
        self._room = RequestSlots(self.concurrency)
        self._built: dict[ModelSettings, Model] = {}
        self._paces: dict[tuple[str, str | None], RateLimiter] = {}
        """By model and endpoint: what differs in other settings shares the limits of the two."""

    def __getitem__(self, role: Role) -> Model:
        """Return the model of `role`; without settings that is `offline`."""
        return self.built(self.settings.get(role, ModelSettings()))

    def built(self, settings: ModelSettings) -> Model:
        """Return the model with these settings, the same one each time.

        Replies are kept, except those of the offline engine, which cost nothing.

        Raises:
            ConfigError: the name is unknown, or a package or key is missing.
        """
        if settings not in self._built:
            self._built[settings] = self._build(settings)
        return self._built[settings]

    def _build(self, settings: ModelSettings) -> Model:
        if settings.name == OFFLINE:
            from uaeval.offline.model import OfflineModel

            return OfflineModel()
        kept = (settings.name, self.ledger.store, self.prompts, settings.parameters)
        if settings.batch:
            from uaeval.llm.batch.model import BatchModel

            return BatchModel(*kept, any_provider=settings.on_ray)
        self.ledger.require_price(settings.name)
        place = (settings.name, settings.base_url)
        pace = self._paces.setdefault(place, settings.pace(self._room))
        model = settings.live(self.prompts, settings.parameters, pace)
        return StoredModel(*kept, inner=model, ledger=self.ledger)

    def samples(self, role: Role) -> tuple[Model, ...]:
        """Return the models that vote in `role`; the settings refuse several of the engine."""
        model, count = self[role], self.settings.get(role, ModelSettings()).samples
        if count == 1:
            return (model,)
        assert isinstance(model, KeptModel)
        return (model, *(model.sample(number) for number in range(1, count)))

    @property
    def in_use(self) -> frozenset[ModelSettings]:
        """The settings of every model that has a role or was built."""
        return frozenset((*self.settings.values(), *self._built))

    def prices(self) -> dict[str, Price]:
        """Return the known prices of the models in use, by name."""
        names = {settings.name for settings in self.in_use}
        prices = {name: self.ledger.prices.price(name) for name in sorted(names)}
        return {name: price for name, price in prices.items() if price is not None}

    def close(self) -> None:
        """Let no further call begin; whoever waits for one meets a `RunAborted`.

        In batch mode no further request is queued.
        """
        self._room.close(RunAborted("Nothing more is to be asked."))
        self.ledger.store.accepts_requests = False

    async def settle(self) -> None:
        """Wait until every call under way has ended and its reply is stored."""
        for model in self._built.values():
            if isinstance(model, StoredModel):
                await model.settle()


def role_usage(ledger: Ledger) -> list[ModelUsage]:
    """Sum a ledger up by role and model, in the order of the roles."""
    parts: dict[tuple[Role, str], list[LedgerEntry]] = {}
    for entry in ledger.entries():
        parts.setdefault((role_of(entry.prompt), entry.model), []).append(entry)
    usage = []
    for role, model in sorted(parts, key=lambda part: (list(Role).index(part[0]), part[1])):
        entries = parts[role, model]
        used = sum(entries, Usage())
        counts = used.model_dump(exclude={"without_usage"})
        cost = ledger.cost(*entries)
        cost_usd = None if cost is None else round(cost, 8)
        usage.append(ModelUsage(role=role, model=model, **counts, cost_usd=cost_usd))
    return usage
