"""A model that is asked in batches: it answers from the store, and queues what is not there."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from uaeval.errors import (
    BlockedError,
    ConfigError,
    ModelError,
    PendingReply,
    RecordError,
    RefusedError,
    ReplyError,
)
from uaeval.llm.model import R, T
from uaeval.llm.parameters import Request, make_request, split_name
from uaeval.llm.replies import Reply
from uaeval.llm.schema import reply_format
from uaeval.llm.stored_model import KeptModel
from uaeval.prompts import Field

_PROVIDERS: Final = {"openai", "azure_openai"}
_KINDS: Final[dict[str, type[RecordError]]] = {
    each.__name__: each for each in (ModelError, RefusedError, BlockedError, ReplyError)
}


@dataclass(eq=False)
class BatchModel(KeptModel):
    """Answers from the store; what is not there is queued for the next batch file."""

    def __post_init__(self) -> None:
        provider, self._model = split_name(self.name)
        if provider not in _PROVIDERS:
            raise ConfigError(
                f"{self.name} cannot be asked in batches; batch files are for openai:… models "
                "(OpenAI, Azure, vLLM)"
            )

    async def ask(
        self,
        prompt_name: str,
        reply_type: type[R],
        parse: Callable[[R], T],
        /,
        **fields: Field,
    ) -> T:
        """Return the stored reply, raise the stored failure, or queue the request.

        An imported reply that `parse` does not accept is queued once more, to be repaired. An
        import cannot parse it: it does not know the fields.
        """
        prompt = self.prompts.get(prompt_name)
        request = make_request(self.name, self.parameters, prompt, reply_type, fields)
        stored = self.store.get(request.key, reply_type)
        if stored is not None:
            try:
                return parse(stored)
            except ReplyError as error:
                if not self.store.accepts_requests:
                    raise
                self._queue(request, fields)
                self._repair(request, stored, error)
        if not self._is_queued(request):
            self._queue(request, fields)
        raise PendingReply(f"{prompt_name} waits for a batch answer")

    def _is_queued(self, request: Request) -> bool:
        """Return whether a request waits already; raise the failure that is stored for it."""
        rows = self.store.execute(
            "SELECT state, kind, problem, raw FROM requests WHERE key = ?", request.key
        )
        for state, kind, problem, raw in rows:
            if state == "pending":
                return True
            if kind not in _KINDS:
                raise self.store.damaged(f"unknown kind of failure {kind}")
            error = _KINDS[str(kind)](str(problem))
            error.raw = error.raw if raw is None else str(raw)
            raise error
        return False

    def _repair(self, request: Request, reply: Reply, error: ReplyError) -> None:
        """Replace the stored reply by a request to repair it, or by a failure if that was done."""
        with self.store.transaction():
            self.store.execute("DELETE FROM replies WHERE key = ?", request.key)
            self.store.execute(
                "UPDATE requests SET round = round + 1, raw = ?, kind = ?, problem = ?, "
                "state = CASE WHEN raw IS NULL THEN 'pending' ELSE 'failed' END WHERE key = ?",
                reply.model_dump_json(),
                ReplyError.__name__,
                str(error),
                request.key,
            )

    def _queue(self, request: Request, fields: Mapping[str, Field]) -> None:
        system, user = self.prompts.get(request.prompt).render(fields)
        settings = {
            "temperature": self.parameters.temperature,
            "max_completion_tokens": self.parameters.max_tokens,
        }
        body = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": user},
            ],
            **{name: value for name, value in settings.items() if value is not None},
            "response_format": reply_format(request.reply_type),
        }
        self.store.queue(request, json.dumps(body, ensure_ascii=False))
