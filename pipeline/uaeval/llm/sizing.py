"""Estimate the tokens and cost of expected calls, without a tokenizer and without a call."""

import json
import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from statistics import fmean
from typing import Final, NamedTuple

from uaeval.errors import PendingReply
from uaeval.llm.model import Field, R, T
from uaeval.llm.names import OFFLINE
from uaeval.llm.prices import PriceTable
from uaeval.llm.replies import Reply, reply_format
from uaeval.llm.roles import ModelSettings, Role, role_of
from uaeval.llm.usage import Usage
from uaeval.prompts import PromptLibrary
from uaeval.resources import shipped_table

CHARACTERS_PER_TOKEN: Final = 4
"""Measured with OpenAI's o200k tokenizer: 4.2 for the prompts, 4.2 and 4.3 for two English
knowledge bases, 3.5 for the JSON schemas. Chinese and Japanese have 1.1 to 1.3; there every
character counts as a token."""
DECLINED: Final = 100
"""Characters of an author's reply that declines a passage."""
REPLY_CHARACTERS: Final[Mapping[str, int]] = shipped_table("llm/reply_characters.yaml")


def estimated_tokens(text: str) -> int:
    """Return the estimated number of tokens of `text`."""
    counts = {} if text.isascii() else Counter(text)  # faster than a look-up of each character
    wide = sum(n for char, n in counts.items() if unicodedata.east_asian_width(char) in "WF")
    return wide + math.ceil((len(text) - wide) / CHARACTERS_PER_TOKEN)


def prompt_tokens(system: str, user: str, reply_type: type[Reply]) -> int:
    """Return the estimated tokens of a request, including the schema of its reply."""
    schema = json.dumps(reply_format(reply_type), separators=(",", ":"))
    return estimated_tokens(system + user + schema)


def reply_tokens(prompt: str) -> float:
    """Return the estimated tokens of the reply to a prompt; judges write 120 characters."""
    default = REPLY_CHARACTERS.get(prompt.rpartition("/")[2], 120)
    return REPLY_CHARACTERS.get(prompt, default) / CHARACTERS_PER_TOKEN


class Size(NamedTuple):
    """Mean tokens of one call."""

    prompt: float
    completion: float


class SizingModel:
    """A model that records the estimated tokens of each request, and never replies.

    Equal requests count once, because a stored reply would be reused.
    """

    name = "sizing"

    def __init__(self, prompts: PromptLibrary) -> None:
        self._prompts = prompts
        self._sizes = defaultdict[str, dict[int, int]](dict)
        """Tokens of each request by its hash, by prompt."""

    async def ask(
        self, prompt: str, reply_type: type[R], parse: Callable[[R], T], /, **fields: Field
    ) -> T:
        """Record the size of the request, and raise `PendingReply`."""
        system, user = self._prompts.get(prompt).render(fields)
        if (question := hash((system, user))) not in self._sizes[prompt]:
            self._sizes[prompt][question] = prompt_tokens(system, user, reply_type)
        raise PendingReply(f"{prompt} was measured, not asked")

    async def measure(self, calls: Iterable[Awaitable[object]]) -> None:
        """Await each of `calls`, which ask this model."""
        for call in calls:
            with suppress(PendingReply):
                await call

    def calls(self) -> dict[str, int]:
        """Return the number of requests by prompt."""
        return {prompt: len(sizes) for prompt, sizes in self._sizes.items()}

    def sizes(self) -> dict[str, Size]:
        """Return the mean size of a call, by prompt."""
        return {
            prompt: Size(prompt=fmean(sizes.values()), completion=reply_tokens(prompt))
            for prompt, sizes in self._sizes.items()
        }


class RoleForecast(NamedTuple):
    """The expected calls of one role."""

    role: Role
    model: str
    calls: float
    prompt_tokens: float
    completion_tokens: float
    cost: float | None
    """US dollars; `None` if the price is unknown."""


def forecast(
    calls: Mapping[str, float],
    sizes: Mapping[str, Size],
    models: Mapping[Role, ModelSettings],
    prices: PriceTable,
) -> tuple[RoleForecast, ...]:
    """Return the forecast of each role, from expected calls by prompt; `offline` has none."""
    forecasts = []
    for role, model in models.items():
        if model.name == OFFLINE or not (prompts := [p for p in calls if role_of(p) is role]):
            continue
        sent = sum(calls[prompt] * sizes[prompt].prompt for prompt in prompts)
        received = sum(calls[prompt] * sizes[prompt].completion for prompt in prompts)
        used = Usage(prompt_tokens=round(sent), completion_tokens=round(received))
        count = sum(calls[prompt] for prompt in prompts)
        cost = prices.cost(model.name, used, batch=model.batch and not model.on_ray)
        forecasts.append(RoleForecast(role, model.name, count, sent, received, cost))
    return tuple(forecasts)
