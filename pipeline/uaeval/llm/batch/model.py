"""A model that is asked in batches: it replies from the store, and queues missing requests."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from uaeval.errors import ConfigError, PendingReply, ReplyError
from uaeval.llm.batch.requests import queued, store_failure, stored_failure
from uaeval.llm.model import R, T
from uaeval.llm.parameters import Request, make_request, split_name
from uaeval.llm.replies import Reply, reply_format
from uaeval.llm.stored_model import StoreBackedModel
from uaeval.prompts import Field


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
        body = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": user},
            ],
            **({} if self.temperature is None else {"temperature": self.temperature}),
            "response_format": reply_format(reply_type),
        }
        self.store.queue(request, json.dumps(body, ensure_ascii=False))
