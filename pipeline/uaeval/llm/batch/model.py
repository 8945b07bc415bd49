"""Asking in bulk: requests go out as a file in OpenAI's Batch format, answers come back as one.

A request waits in the response store until its answer is imported (`batch_answers`). The files go
out through a Batch API (`sent_batches`) or by hand; `vllm run-batch` reads and writes the same
format. Each line's `custom_id` is `<run id>-<start of the key>-<round>`; an unreadable answer opens
a second round, in which the request carries the order to repair it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, count, takewhile
from pathlib import Path
from typing import Final

from uaeval.errors import (
    BlockedError,
    ConfigError,
    ModelError,
    PendingReply,
    RecordError,
    RefusedError,
    ReplyError,
    StorageError,
)
from uaeval.llm.model import R, T
from uaeval.llm.parameters import Parameters, split_name
from uaeval.llm.reading import repair_order
from uaeval.llm.replies import Reply
from uaeval.llm.request import Request, make_request
from uaeval.llm.schema import reply_format
from uaeval.llm.store import ResponseStore, Value
from uaeval.llm.stored_model import KeptModel
from uaeval.prompts import Field, PromptLibrary

MOST_REQUESTS: Final = 50_000
"""What OpenAI accepts in one batch file."""
MOST_BYTES: Final = 100_000_000
"""Half of what OpenAI accepts in one: other endpoints take less, and a file that could not be sent
is sent again from its beginning."""

_PROVIDERS: Final = {"openai", "azure_openai"}
_KINDS: Final[dict[str, type[RecordError]]] = {
    each.__name__: each for each in (ModelError, RefusedError, BlockedError, ReplyError)
}


class BatchModel(KeptModel):
    """Answers from the store; what is not there is written down for the next batch file."""

    def __init__(
        self,
        name: str,
        store: ResponseStore,
        prompts: PromptLibrary,
        *,
        parameters: Parameters | None = None,
    ) -> None:
        provider, self._model = split_name(name)
        if provider not in _PROVIDERS:
            raise ConfigError(
                f"{name} cannot be asked in batches; batch files are for openai:… models "
                "(OpenAI, Azure, vLLM)"
            )
        super().__init__(name, store, prompts, parameters)

    async def ask(
        self,
        prompt_name: str,
        reply_type: type[R],
        parse: Callable[[R], T],
        /,
        **fields: Field,
    ) -> T:
        """Return the stored reply, raise the stored failure, or put the request in the queue.

        An imported reply that `parse` does not accept goes back in the queue, once, to be repaired.
        An import cannot parse it: it does not know the fields.
        """
        prompt = self._prompts.get(prompt_name)
        request = make_request(self.name, self._parameters, prompt, reply_type, fields)
        stored = self._store.get(request.key, reply_type)
        if stored is not None:
            try:
                return parse(stored)
            except ReplyError as error:
                if not self._store.accepts_requests:
                    raise
                self._queue(request, fields)
                self._repair(request, stored, error)
        rows = self._store.execute(
            "SELECT kind, problem, raw FROM requests WHERE key = ? AND state = 'failed'",
            request.key,
        )
        if rows:
            raise self._failure(*rows[0])
        self._queue(request, fields)
        raise PendingReply(f"{prompt_name} waits for a batch answer")

    def _failure(self, kind: Value, problem: Value, raw: Value) -> RecordError:
        if kind not in _KINDS:
            raise self._store.damaged(f"unknown kind of failure {kind}")
        error = _KINDS[str(kind)](str(problem))
        error.raw = error.raw if raw is None else str(raw)
        return error

    def _repair(self, request: Request, reply: Reply, error: ReplyError) -> None:
        """Replace the stored reply by a request to repair it, or by a failure if that was done."""
        with self._store.transaction():
            self._store.execute("DELETE FROM replies WHERE key = ?", request.key)
            self._store.execute(
                "UPDATE requests SET round = round + 1, raw = ?, kind = ?, problem = ?, "
                "state = CASE WHEN raw IS NULL THEN 'pending' ELSE 'failed' END WHERE key = ?",
                reply.model_dump_json(),
                ReplyError.__name__,
                str(error),
                request.key,
            )

    def _queue(self, request: Request, fields: Mapping[str, Field]) -> None:
        system, user = self._prompts.get(request.prompt).render(fields)
        body = json.dumps(self._body(request, system, user), ensure_ascii=False)
        self._store.queue(request, body)

    def _body(self, request: Request, system: str, user: str) -> dict[str, object]:
        settings = {
            "temperature": self._parameters.temperature,
            "max_completion_tokens": self._parameters.max_tokens,
        }
        return {
            "model": self._model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": user},
            ],
            **{name: value for name, value in settings.items() if value is not None},
            "response_format": reply_format(request.reply_type),
        }


def waiting(store: ResponseStore) -> int:
    """Count the requests that have neither an answer nor a failure."""
    return _count(store, _PENDING)


def underway(store: ResponseStore) -> int:
    """Count the waiting requests that are in a batch at an endpoint."""
    return _count(store, f"{_PENDING} AND {_SENT}")


def failures(store: ResponseStore) -> int:
    """Count the requests whose failure is kept."""
    return _count(store, "state = 'failed'")


def retry_failures(store: ResponseStore) -> int:
    """Forget every kept failure, so that the next run asks again; return how many there were."""
    found = failures(store)
    store.execute(
        "UPDATE requests SET state = 'pending', raw = NULL, kind = NULL, problem = NULL "
        "WHERE state = 'failed'"
    )
    return found


_PENDING: Final = "state = 'pending'"
_SENT: Final = "key IN (SELECT key FROM sent_requests)"


def _count(store: ResponseStore, condition: str) -> int:
    rows = store.execute(f"SELECT count(*) FROM unanswered WHERE {condition}")
    return int(rows[0][0] or 0)


# --- requests out -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchFile:
    """What one batch file holds: requests of one model, as many as fit."""

    model: str
    """`provider:model`."""
    keys: tuple[str, ...]
    lines: tuple[str, ...]


def export(store: ResponseStore, file: Path) -> tuple[Path, ...]:
    """Write every waiting request that is in no batch, in the order asked; return the files.

    A batch file may hold one model and so many requests only; what does not fit in `file` goes to
    `<stem>-2`, `<stem>-3` and so on. Files of those names from an earlier export are removed.
    """
    places = chain([file], (file.with_stem(f"{file.stem}-{number}") for number in count(2)))
    written: list[Path] = []
    for part, place in zip(parts(store), places, strict=False):
        _write(place, part.lines)
        written.append(place)
    for stale in takewhile(lambda place: _is_exported(place, store.run_id), places):
        stale.unlink()
    return tuple(written)


def parts(store: ResponseStore) -> Iterator[BatchFile]:
    """Yield the waiting requests that are in no batch, as the batch files that hold them."""
    models = store.execute(
        f"SELECT model FROM unanswered WHERE {_PENDING} AND NOT {_SENT} "
        "GROUP BY model ORDER BY min(position)"
    )
    for (model,) in models:
        yield from _parts_of(store, str(model))


def _parts_of(store: ResponseStore, model: str) -> Iterator[BatchFile]:
    keys: list[str] = []
    lines: list[str] = []
    size = 0
    for key, line in _lines(store, model):
        length = len(line.encode())
        if lines and (len(lines) == MOST_REQUESTS or size + length > MOST_BYTES):
            yield BatchFile(model=model, keys=tuple(keys), lines=tuple(lines))
            keys, lines, size = [], [], 0
        keys.append(key)
        lines.append(line)
        size += length
    yield BatchFile(model=model, keys=tuple(keys), lines=tuple(lines))


def _lines(store: ResponseStore, model: str) -> Iterator[tuple[str, str]]:
    """Yield key and line of each request of a model, read page by page: there may be many."""
    last = -1
    left_out = {"temperature"} if is_without_temperature(store, model) else set()
    while rows := store.execute(
        "SELECT position, key, model, prompt, reply_type, body, crc, round, raw, problem "
        "FROM unanswered "
        f"WHERE {_PENDING} AND NOT {_SENT} AND model = ? AND position > ? "
        "ORDER BY position LIMIT 1000",
        model,
        last,
    ):
        for _, key, *content, crc, number, raw, problem in rows:
            store.verify(crc, key, *content)
            asked = json.loads(str(content[-1]))
            body = {name: value for name, value in asked.items() if name not in left_out}
            if raw is not None:
                body["messages"] += [
                    {"role": "assistant", "content": str(raw) or "(nothing)"},
                    {"role": "user", "content": repair_order(str(problem))},
                ]
            line = {
                "custom_id": f"{store.run_id}-{str(key)[:32]}-{number}",
                "method": "POST",
                "url": "/v1/chat/completions",
                "body": body,
            }
            yield str(key), json.dumps(line, ensure_ascii=False) + "\n"
        last = int(rows[-1][0] or 0)


def is_without_temperature(store: ResponseStore, model: str) -> bool:
    """Say whether the model turned a temperature down before."""
    return bool(store.execute("SELECT 1 FROM about WHERE name = ?", _without(model)))


def leave_temperature_out(store: ResponseStore, model: str) -> None:
    """Ask the model without a temperature from now on."""
    store.execute("INSERT OR IGNORE INTO about VALUES (?, 'yes')", _without(model))


def _without(model: str) -> str:
    return f"without temperature: {model}"


def _is_exported(file: Path, run: str) -> bool:
    if not file.is_file():
        return False
    with file.open("rb") as stream:
        return stream.readline(100).startswith(f'{{"custom_id": "{run}-'.encode())


def _write(file: Path, lines: Iterable[str]) -> None:
    half_done = file.with_name(f".{file.name}.part")
    try:
        with half_done.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(lines)
        half_done.replace(file)
    except OSError as error:
        raise StorageError(f"{file} cannot be written: {error.strerror}") from error
