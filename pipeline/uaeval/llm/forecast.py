"""What expected calls take of each role: tokens, and dollars at list prices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uaeval.llm.parameters import Usage, split_name
from uaeval.llm.prices import PriceTable
from uaeval.llm.roles import Role, role_of
from uaeval.llm.sizing import Size
from uaeval.model_names import OFFLINE


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleForecast:
    """What one role is expected to take."""

    role: Role
    model: str
    calls: float
    prompt_tokens: float
    completion_tokens: float
    cost: float | None
    """US dollars; `None` if the price is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RolePrices:
    """Which model plays which role, and what its tokens cost.

    Raises:
        ConfigError: a name is none of a model.
    """

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
    """Sum expected calls, given by prompt, up by role; the offline engine makes none."""
    by_role: dict[Role, list[str]] = {}
    for prompt in calls:
        if terms.models[role_of(prompt)] != OFFLINE:
            by_role.setdefault(role_of(prompt), []).append(prompt)
    return tuple(
        _amount(role, by_role[role], calls, sizes, terms) for role in Role if role in by_role
    )


def _amount(
    role: Role,
    prompts: Sequence[str],
    calls: Mapping[str, float],
    sizes: Mapping[str, Size],
    terms: RolePrices,
) -> RoleForecast:
    asked = sum(calls[each] for each in prompts)
    sent = sum(calls[each] * sizes[each].prompt for each in prompts)
    replied = sum(calls[each] * sizes[each].completion for each in prompts)
    used = Usage(prompt_tokens=round(sent), completion_tokens=round(replied))
    model = terms.models[role]
    return RoleForecast(
        role=role,
        model=model,
        calls=asked,
        prompt_tokens=sent,
        completion_tokens=replied,
        cost=terms.prices.cost(model, used, batch=terms.batch),
    )
