"""A bound on the calls in flight, whoever makes them."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from uaeval.llm.model import Model
from uaeval.llm.replies import Reply
from uaeval.prompts import Field

R = TypeVar("R", bound=Reply)


class GatedModel:
    """Any model, asked only while there is room at `gate`, which several models may share."""

    def __init__(self, inner: Model, gate: asyncio.Semaphore) -> None:
        self.inner = inner
        self._gate = gate

    @property
    def name(self) -> str:
        """The inner model's name."""
        return self.inner.name

    async def ask(
        self,
        prompt_name: str,
        reply_type: type[R],
        check: Callable[[R], object] | None = None,
        /,
        **fields: Field,
    ) -> R:
        """Ask the inner model as soon as there is room."""
        async with self._gate:
            return await self.inner.ask(prompt_name, reply_type, check, **fields)
