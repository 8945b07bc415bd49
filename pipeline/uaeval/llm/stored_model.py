"""Models whose replies are stored, so that equal questions are asked once."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Self, cast

from uaeval.errors import StorageError
from uaeval.llm.ledger import Ledger
from uaeval.llm.model import Model, R, T
from uaeval.llm.parameters import Parameters, Request, make_request
from uaeval.llm.replies import Reply
from uaeval.llm.store import ResponseStore
from uaeval.prompts import Field, PromptLibrary


@dataclass(eq=False)
class KeptModel:
    """A model whose replies are in a store, under what they depend on."""

    name: str
    """The same whether the model is asked at once or in batches; both share replies."""
    store: ResponseStore
    prompts: PromptLibrary
    parameters: Parameters = field(default_factory=Parameters)

    def sample(self, number: int) -> Self:
        """Return a model that answers the same questions anew, and stores that apart."""
        other = copy(self)
        other.parameters = replace(self.parameters, sample=number)
        return other


@dataclass(eq=False)
class StoredModel(KeptModel):
    """Any model, remembering its replies; equal questions asked at once are asked once.

    With a ledger its calls are counted there, and end at the ledger's limits.

    Failures are not remembered: what failed is asked again when the run goes on.
    """

    inner: Model = field(kw_only=True)
    ledger: Ledger | None = None
    _underway: dict[str, asyncio.Task[tuple[Reply, object]]] = field(
        default_factory=dict, init=False
    )

    async def ask(
        self,
        prompt_name: str,
        reply_type: type[R],
        parse: Callable[[R], T],
        /,
        **fields: Field,
    ) -> T:
        """Return the stored reply, or ask the inner model and store its reply."""
        prompt = self.prompts.get(prompt_name)
        request = make_request(self.name, self.parameters, prompt, reply_type, fields)
        stored = self.store.get(request.key, reply_type)
        if stored is not None:
            return parse(stored)
        task = self._underway.get(request.key)
        if task is None:
            task = asyncio.create_task(self._ask_inner(request, reply_type, parse, fields))
            self._underway[request.key] = task
            task.add_done_callback(partial(self._forget, request.key))
            # Shielded: one asker that is cancelled takes no answer from the others.
            return cast(T, (await asyncio.shield(task))[1])
        reply, _ = await asyncio.shield(task)
        return parse(cast(R, reply))

    async def settle(self) -> None:
        """Let the calls under way end, so that their replies are stored; failures are not."""
        ended = await asyncio.gather(*self._underway.values(), return_exceptions=True)
        for outcome in ended:
            if isinstance(outcome, StorageError):
                raise outcome

    def _forget(self, key: str, ended: asyncio.Task[tuple[Reply, object]]) -> None:
        """Forget a call that has ended; its error is ignored if nobody waits for it."""
        self._underway.pop(key, None)
        if not ended.cancelled():
            ended.exception()

    async def _ask_inner(
        self,
        request: Request,
        reply_type: type[R],
        parse: Callable[[R], object],
        fields: Mapping[str, Field],
    ) -> tuple[Reply, object]:
        """Return the inner model's reply, once it is stored, and what `parse` made of it."""
        metered = self.ledger.metered(self.name, request.prompt) if self.ledger else nullcontext()
        with metered:
            reply, parsed = await self.inner.ask(
                request.prompt, reply_type, lambda reply: (reply, parse(reply)), **fields
            )
        await self.store.keep(request, reply)
        return reply, parsed
