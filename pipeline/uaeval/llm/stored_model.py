"""Models whose replies are stored, so that equal requests are sent once, live or in batches."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import cast

from uaeval.errors import ConfigError, PendingReply, ReplyError, StorageError
from uaeval.llm.batch.requests import queued, store_failure, stored_failure
from uaeval.llm.endpoint.addresses import split_name
from uaeval.llm.ledger import Ledger
from uaeval.llm.model import Field, Model, R, T
from uaeval.llm.replies import Reply, reply_format
from uaeval.llm.store import Request, ResponseStore, make_request
from uaeval.prompts import PromptLibrary


@dataclass(eq=False)
class StoreBackedModel:
    """A model whose replies are kept in a response store."""

    name: str
    """The same for live and batch calls, which share the stored replies."""
    store: ResponseStore
    prompts: PromptLibrary
    temperature: float | None = 0.0
    """`None` is the endpoint's default (some reasoning models accept no other)."""
    sample: int = 0
    """Number of its replies among independent replies to the same prompts, from 0."""


@dataclass(eq=False)
class StoredModel(StoreBackedModel):
    """Stores the replies of a model; equal requests at the same time are sent once.

    A ledger counts the calls and enforces its limits. Failures are not stored: a failed request is
    sent again when the run is resumed.
    """

    inner: Model = field(kw_only=True)
    ledger: Ledger | None = None
    _in_flight: dict[str, asyncio.Task[tuple[Reply, object]]] = field(
        default_factory=dict, init=False
    )

    async def ask(
        self, prompt: str, reply_type: type[R], parse: Callable[[R], T], /, **fields: Field
    ) -> T:
        """Return the stored reply, or ask the inner model and store its reply."""
        request = make_request(
            self.name, self.prompts.get(prompt), reply_type, fields, self.temperature, self.sample
        )
        if (stored := self.store.get(request.key, reply_type)) is not None:
            return parse(stored)

        async def ask_inner() -> tuple[Reply, object]:
            with self.ledger.metered(self.name, prompt) if self.ledger else nullcontext():
                reply, parsed = await self.inner.ask(
                    prompt, reply_type, lambda reply: (reply, parse(reply)), **fields
                )
            await self.store.keep(request, reply)
            return reply, parsed

        task = self._in_flight.get(request.key)
        if task is None:
            task = asyncio.create_task(ask_inner())
            self._in_flight[request.key] = task
            task.add_done_callback(partial(self._on_done, request.key))
            # Shielded, because other callers may wait for the same task.
            return cast(T, (await asyncio.shield(task))[1])
        reply, _ = await asyncio.shield(task)
        return parse(cast(R, reply))

    async def settle(self) -> None:
        """Wait for the calls in flight, so that their replies are stored."""
        for outcome in await asyncio.gather(*self._in_flight.values(), return_exceptions=True):
            if isinstance(outcome, StorageError):
                raise outcome

    def _on_done(self, key: str, task: asyncio.Task[tuple[Reply, object]]) -> None:
        """Remove an ended call, and mark its error as retrieved."""
        self._in_flight.pop(key, None)
        if not task.cancelled():
            task.exception()


@dataclass(eq=False)
class BatchModel(StoreBackedModel):
    """Returns stored replies, and queues the other requests for the next batch file."""

    any_provider: bool = False
    """Whether Ray sends the requests, to any provider, instead of a batch file."""

    def __post_init__(self) -> None:
        provider, self._model = split_name(self.name)
        if provider not in {"openai", "azure_openai"} and not self.any_provider:
            raise ConfigError(
                f"{self.name} cannot be asked in batches; batch files are for openai:… models "
                "(OpenAI, Azure, vLLM)"
            )

    async def ask(
        self, prompt: str, reply_type: type[R], parse: Callable[[R], T], /, **fields: Field
    ) -> T:
        """Return the stored reply, raise the stored failure, or queue the request.

        The import does not know the fields of the prompt, so `parse` runs here. A reply that it
        does not accept is queued once more, to be repaired.
        """
        request = make_request(
            self.name, self.prompts.get(prompt), reply_type, fields, self.temperature, self.sample
        )
        if (stored := self.store.get(request.key, reply_type)) is not None:
            try:
                return parse(stored)
            except ReplyError as error:
                if not self.store.accepts_requests:
                    raise
                self._queue(request, reply_type, fields)
                unusable = ReplyError(str(error), raw=stored.model_dump_json())
                with self.store.transaction():
                    self.store.execute("DELETE FROM replies WHERE key = ?", request.key)
                    store_failure(self.store, request.key, unusable)
        requests = queued(self.store, "requests WHERE key = ?", request.key)
        if not requests:
            self._queue(request, reply_type, fields)
        elif failure := stored_failure(self.store, requests[0]):
            raise failure
        raise PendingReply(f"{prompt} waits for a batch answer")

    def _queue(
        self, request: Request, reply_type: type[Reply], fields: Mapping[str, Field]
    ) -> None:
        system, user = self.prompts.get(request.prompt).render(fields)
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        body: dict[str, object] = {"model": self._model, "messages": messages}
        if self.temperature is not None:
            body["temperature"] = self.temperature
        body["response_format"] = reply_format(reply_type)
        self.store.queue(request, json.dumps(body, ensure_ascii=False))
