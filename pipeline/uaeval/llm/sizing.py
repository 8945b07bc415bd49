"""Estimate the tokens and cost of expected calls, without a tokenizer or a call."""

import hashlib
import json
import math
import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from uaeval.errors import PendingReply
from uaeval.llm.model import R, T
from uaeval.llm.names import OFFLINE
from uaeval.llm.parameters import Usage
from uaeval.llm.prices import PriceTable
from uaeval.llm.replies import Reply, reply_format
from uaeval.llm.roles import ModelSettings, Role, role_of
from uaeval.prompts import Field, PromptLibrary
from uaeval.resources import shipped_table

CHARACTERS_PER_TOKEN: Final = 4
"""OpenAI's o200k tokenizer was measured at 4.2 for the prompts, 4.2 and 4.3 for two English
knowledge bases, 3.5 for the JSON schemas, and at 1.1 to 1.3 for Chinese and Japanese, of which each
sign counts as a token."""

DECLINED: Final = 100
"""Characters of an author's reply that declines."""
REPLY_CHARACTERS: Final[Mapping[str, int]] = shipped_table("llm/reply_characters.yaml")
JUDGEMENT: Final = 120
"""Characters of a reply to every other prompt, a judge's."""


def estimated_tokens(text: str) -> int:
    """Return about how many tokens `text` is."""
    wide = 0 if text.isascii() else sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return wide + math.ceil((len(text) - wide) / CHARACTERS_PER_TOKEN)


def prompt_tokens(system: str, user: str, reply_type: type[Reply]) -> int:
    """Return about how many tokens a request is; the schema of its reply counts as prompt."""
    schema = json.dumps(reply_format(reply_type), separators=(",", ":"))
    return estimated_tokens(system + user + schema)


def reply_tokens(prompt: str) -> float:
    """Return about how many tokens the reply to a prompt is."""
    of_role = REPLY_CHARACTERS.get(prompt.rpartition("/")[2], JUDGEMENT)
    return REPLY_CHARACTERS.get(prompt, of_role) / CHARACTERS_PER_TOKEN


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Tokens of one call, on average."""

    prompt: float
    completion: float


class SizingModel:
    """Records how many tokens each question would take; answers none.

    The same question counts once, as a stored reply serves again.
    """

    name = "sizing"

    def __init__(self, prompts: PromptLibrary) -> None:
        self._prompts = prompts
        self._sizes: dict[str, list[int]] = {}
        self._asked: set[bytes] = set()

    async def ask(
        self,
        prompt_name: str,
        reply_type: type[R],
        parse: Callable[[R], T],
        /,
        **fields: Field,
    ) -> T:
        """Record the size of the question, and raise `PendingReply`."""
        system, user = self._prompts.get(prompt_name).render(fields)
        question = hashlib.sha256(json.dumps([prompt_name, system, user]).encode()).digest()
        if question not in self._asked:
            self._asked.add(question)
            size = prompt_tokens(system, user, reply_type)
            self._sizes.setdefault(prompt_name, []).append(size)
        raise PendingReply(f"{prompt_name} was measured, not asked")

    async def measure(self, asks: Iterable[Awaitable[object]]) -> None:
        """Await each of `asks`, which put their questions to this model."""
        for asked in asks:
            with suppress(PendingReply):
                await asked

    def calls(self) -> dict[str, int]:
        """Count the questions by prompt."""
        return {prompt: len(sizes) for prompt, sizes in self._sizes.items()}

    def sizes(self) -> dict[str, Size]:
        """Return the mean size of a call, by prompt."""
        return {
            prompt: Size(prompt=fmean(sizes), completion=reply_tokens(prompt))
            for prompt, sizes in self._sizes.items()
        }


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


def forecast(
    calls: Mapping[str, float],
    sizes: Mapping[str, Size],
    models: Mapping[Role, ModelSettings],
    prices: PriceTable,
) -> tuple[RoleForecast, ...]:
    """Sum up expected calls, given by prompt, by role; the offline engine makes none."""
    forecasts = []
    for role, model in models.items():
        prompts = [name for name in calls if role_of(name) is role and model.name != OFFLINE]
        if not prompts:
            continue
        sent = sum(calls[name] * sizes[name].prompt for name in prompts)
        replied = sum(calls[name] * sizes[name].completion for name in prompts)
        used = Usage(prompt_tokens=round(sent), completion_tokens=round(replied))
        of_role = RoleForecast(
            role=role,
            model=model.name,
            calls=sum(calls[name] for name in prompts),
            prompt_tokens=sent,
            completion_tokens=replied,
            cost=prices.cost(model.name, used, batch=model.batch and not model.on_ray),
        )
        forecasts.append(of_role)
    return tuple(forecasts)
