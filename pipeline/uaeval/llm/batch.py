"""Asking in bulk: requests go out as a file in OpenAI's Batch format, answers come back as one.

A request waits in the response store until its answer is imported (`batch_answers`).
`vllm run-batch` reads and writes the same format. Each line's `custom_id` is
`<run id>-<start of the key>-<round>`; an unreadable answer opens a second round, in which the
request carries the order to repair it.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypeVar

from uaeval.errors import (
    BlockedError,
    ConfigError,
    ModelError,
    Pending,
    RecordError,
    RefusedError,
    ReplyError,
    StorageError,
)
from uaeval.llm.parameters import Parameters, split_name
from uaeval.llm.reading import repair_order, reply_format
from uaeval.llm.replies import Reply
from uaeval.llm.store import Request, ResponseStore, Value, make_request
from uaeval.prompts import Field, PromptLibrary

R = TypeVar("R", bound=Reply)

MOST_REQUESTS: Final = 50_000
MOST_BYTES: Final = 200_000_000
"""What OpenAI accepts in one batch file."""

_PROVIDERS: Final = {"openai", "azure_openai"}
_KINDS: Final[dict[str, type[RecordError]]] = {
    each.__name__: each for each in (ModelError, RefusedError, BlockedError, ReplyError)
}


class BatchModel:
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
        self._name = name
        self._store = store
        self._prompts = prompts
        self._parameters = parameters or Parameters()

    @property
    def name(self) -> str:
        """The same name as that of the model when asked online; they share stored replies."""
        return self._name

    async def ask(self, prompt_name: str, reply_type: type[R], /, **fields: Field) -> R:
        """Return the stored reply, raise the stored failure, or put the request in the queue."""
        prompt = self._prompts.get(prompt_name)
        request = make_request(self.name, self._parameters, prompt, reply_type, fields)
        stored = self._store.get(request.key, reply_type)
        if stored is not None:
            return stored
        rows = self._store.execute(
            "SELECT kind, problem, raw FROM requests WHERE key = ? AND state = 'failed'",
            request.key,
        )
        if rows:
            raise _failure(*rows[0])
        self._queue(request)
        raise Pending(f"{prompt_name} waits for a batch answer")

    def _queue(self, request: Request) -> None:
        self._store.execute(
            "INSERT OR IGNORE INTO requests (key, model, prompt, reply_type, body) "
            "VALUES (?, ?, ?, ?, ?)",
            request.key,
            request.model,
            request.prompt,
            request.reply_type.__name__,
            json.dumps(self._body(request), ensure_ascii=False),
        )

    def _body(self, request: Request) -> dict[str, object]:
        settings = {
            "temperature": self._parameters.temperature,
            "max_completion_tokens": self._parameters.max_tokens,
        }
        return {
            "model": self._model,
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.user},
            ],
            **{name: value for name, value in settings.items() if value is not None},
            "response_format": reply_format(request.reply_type),
        }


def _failure(kind: Value, problem: Value, raw: Value) -> RecordError:
    error = _KINDS[str(kind)](str(problem))
    error.raw = error.raw if raw is None else str(raw)
    return error


def waiting(store: ResponseStore) -> int:
    """Count the requests that have neither an answer nor a failure."""
    return _count(store, "pending")


def failures(store: ResponseStore) -> int:
    """Count the requests whose failure is kept."""
    return _count(store, "failed")


def retry_failures(store: ResponseStore) -> int:
    """Forget every kept failure, so that the next run asks again; return how many there were."""
    found = failures(store)
    store.execute(
        "UPDATE requests SET state = 'pending', raw = NULL, kind = NULL, problem = NULL "
        "WHERE state = 'failed'"
    )
    return found


def _count(store: ResponseStore, state: str) -> int:
    rows = store.execute("SELECT count(*) FROM unanswered WHERE state = ?", state)
    return int(rows[0][0] or 0)


# --- requests out -------------------------------------------------------------------------------


def export(store: ResponseStore, file: Path) -> tuple[Path, ...]:
    """Write every waiting request, in the order asked; return the files written.

    A batch file may hold one model and so many requests only; what does not fit in `file` goes to
    `<stem>-2`, `<stem>-3` and so on. Files of those names from an earlier export are removed.
    """
    written: list[Path] = []
    for number, lines in enumerate(_parts(store), start=1):
        part = file if number == 1 else _numbered(file, number)
        _write(part, lines)
        written.append(part)
    stale = len(written) + 1
    while _is_exported(part := file if stale == 1 else _numbered(file, stale), store.run_id):
        part.unlink()
        stale += 1
    return tuple(written)


def _parts(store: ResponseStore) -> Iterator[list[str]]:
    models = store.execute(
        "SELECT model FROM unanswered WHERE state = 'pending' GROUP BY model ORDER BY min(position)"
    )
    for (model,) in models:
        lines: list[str] = []
        size = 0
        for line in _lines(store, str(model)):
            length = len(line.encode())
            if lines and (len(lines) == MOST_REQUESTS or size + length > MOST_BYTES):
                yield lines
                lines, size = [], 0
            lines.append(line)
            size += length
        yield lines


def _lines(store: ResponseStore, model: str) -> Iterator[str]:
    run = store.run_id
    rows = store.execute(
        "SELECT key, round, body, raw, problem FROM unanswered "
        "WHERE state = 'pending' AND model = ? ORDER BY position",
        model,
    )
    for key, number, text, raw, problem in rows:
        body = json.loads(str(text))
        if raw is not None:
            body["messages"] += [
                {"role": "assistant", "content": str(raw) or "(nothing)"},
                {"role": "user", "content": repair_order(str(problem))},
            ]
        line = {
            "custom_id": f"{run}-{str(key)[:32]}-{number}",
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": body,
        }
        yield json.dumps(line, ensure_ascii=False) + "\n"


def _numbered(file: Path, number: int) -> Path:
    return file.with_name(f"{file.stem}-{number}{file.suffix}")


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
