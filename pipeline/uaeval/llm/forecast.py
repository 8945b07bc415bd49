"""Forecast the tokens of expected calls by role, and their cost at list prices."""

from collections.abc import Mapping
from dataclasses import dataclass

from uaeval.llm.parameters import Usage, split_name
from uaeval.llm.prices import PriceTable
from uaeval.llm.roles import Role, role_of
from uaeval.llm.sizing import Size
from uaeval.model_names import OFFLINE


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleForecast:
    """The expected calls of one role."""

    role: Role
    model: str
    calls: float
    prompt_tokens: float
    completion_tokens: float
    cost: float | None
    """US dollars; `None` if the price is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RolePrices:
    """The model of each role, which must be a model's name, and the price of its tokens."""

    models: Mapping[Role, str]
    prices: PriceTable
    batch: bool

    def __post_init__(self) -> None:
        for name in self.models.values():
            if name != OFFLINE:
                split_name(name)


def amounts(
    calls: Mapping[str, float], sizes: Mapping[str, Size], terms: RolePrices
) -> tuple[RoleForecast, ...]:
    """Sum up expected calls, given by prompt, by role; the offline engine makes none."""
    forecasts = []
    for role in Role:
        prompts = [
            name for name in calls if role_of(name) is role and terms.models[role] != OFFLINE
        ]
        if not prompts:
            continue
        sent = sum(calls[name] * sizes[name].prompt for name in prompts)
        replied = sum(calls[name] * sizes[name].completion for name in prompts)
        used = Usage(prompt_tokens=round(sent), completion_tokens=round(replied))
        forecast = RoleForecast(
            role=role,
            model=terms.models[role],
            calls=sum(calls[name] for name in prompts),
            prompt_tokens=sent,
            completion_tokens=replied,
            cost=terms.prices.cost(terms.models[role], used, batch=terms.batch),
        )
        forecasts.append(forecast)
    return tuple(forecasts)
