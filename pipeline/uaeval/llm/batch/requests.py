"""The queued requests of a run, and their files in OpenAI's Batch format.

The files are sent through a Batch API (`submitted`) or by hand; `vllm run-batch` reads and writes
the same format. Each line's `custom_id` is `<run id>-<start of the key>-<round>`. An unreadable
answer starts a second round, in which the request asks the model to repair it.
"""

import json
from collections.abc import Iterator
from itertools import chain, count, takewhile
from pathlib import Path
from typing import Final, NamedTuple

from uaeval.errors import BlockedError, ModelError, RecordError, RefusedError, ReplyError
from uaeval.llm.reading import repair_messages
from uaeval.llm.store import Request, ResponseStore
from uaeval.redaction import redact, without_known
from uaeval.storage import whole_characters, write_pieces

MOST_REQUESTS: Final = 50_000
"""Most requests that OpenAI accepts in one batch file."""
MOST_BYTES: Final = 100_000_000
"""Half of OpenAI's limit: other endpoints accept less, and an interrupted upload starts again from
the beginning of the file."""
NO_TEMPERATURE: Final = "without temperature: "
"""Followed by a model, it names the row of `about` that says to send it no temperature."""
_PENDING: Final = "state = 'pending'"
_SENT: Final = "key IN (SELECT key FROM sent_requests)"
_UNSENT: Final = f"{_PENDING} AND NOT {_SENT}"
_KINDS: Final[dict[str, type[RecordError]]] = {
    kind.__name__: kind for kind in (ModelError, RefusedError, BlockedError, ReplyError)
}


class QueuedRequest(Request, frozen=True):
    """A stored request with its state."""

    position: int
    body: str
    crc: int
    state: str
    """`pending` or `failed`."""
    round: int
    """From 1; every failure starts another."""
    raw: str | None
    """The reply that is to be repaired, or could not be."""
    kind: str | None
    problem: str | None


def queued(store: ResponseStore, source: str, *values: str | int) -> tuple[QueuedRequest, ...]:
    """Return the requests of `SELECT … FROM source`; raise `StorageError` if one is damaged."""
    requests = store.select(QueuedRequest, source, *values)
    for request in requests:
        content = (request.key, request.model, request.prompt, request.reply_type, request.body)
        store.verify(request.crc, *content)
    return requests


def waiting(store: ResponseStore) -> int:
    """Return the number of requests that have neither a reply nor a failure."""
    return _count(store, _PENDING)


def underway(store: ResponseStore) -> int:
    """Return the number of waiting requests that were sent in a batch."""
    return _count(store, f"{_PENDING} AND {_SENT}")


def failures(store: ResponseStore) -> int:
    """Return the number of requests whose failure is stored."""
    return _count(store, "state = 'failed'")


def _count(store: ResponseStore, condition: str) -> int:
    rows = store.execute(f"SELECT count(*) FROM unanswered WHERE {condition}")
    return int(rows[0][0] or 0)


def drop_unsent(store: ResponseStore) -> None:
    """Delete the waiting requests that have not been sent."""
    store.execute(f"DELETE FROM requests WHERE key IN (SELECT key FROM unanswered WHERE {_UNSENT})")


def store_failure(store: ResponseStore, key: str, error: RecordError) -> None:
    """Store the failure of a request; queue a repair instead after its first unreadable reply."""
    unreadable = isinstance(error, ReplyError) and error.raw is not None
    store.execute(
        "UPDATE requests SET round = round + 1, raw = ?1, kind = ?2, problem = ?3, "
        "state = iif(?1 IS NOT NULL AND raw IS NULL, 'pending', 'failed') WHERE key = ?4",
        without_known(whole_characters(error.raw or "")) if unreadable else None,
        type(error).__name__,
        redact(whole_characters(error.text if isinstance(error, RefusedError) else str(error))),
        key,
    )


def stored_failure(store: ResponseStore, request: QueuedRequest) -> RecordError | None:
    """Return the stored failure of a request; `None` if the request is pending."""
    if request.state == "pending":
        return None
    if request.kind not in _KINDS:
        raise store.damaged(f"unknown kind of failure {request.kind}")
    error = _KINDS[request.kind](str(request.problem))
    error.raw = error.raw if request.raw is None else request.raw
    return error


def retry_failures(store: ResponseStore) -> int:
    """Turn every failure into a pending request; return their number."""
    failed = failures(store)
    store.execute(
        "UPDATE requests SET state = 'pending', raw = NULL, kind = NULL, problem = NULL "
        "WHERE state = 'failed'"
    )
    return failed


class BatchFile(NamedTuple):
    """One batch file: lines with requests to one `provider:model`, by key of the request."""

    model: str
    lines: dict[str, str]


def export(store: ResponseStore, file: Path) -> tuple[Path, ...]:
    """Write every unsent request, in the order of the queue; return the files written.

    Requests that do not fit in `file` are written to `<stem>-2`, `<stem>-3` and so on. Files with
    these names from an earlier export are removed.
    """
    paths = chain([file], (file.with_stem(f"{file.stem}-{number}") for number in count(2)))
    written: list[Path] = []
    for part, path in zip(parts(store), paths, strict=False):
        write_pieces(path, (line.encode() for line in part.lines.values()))
        written.append(path)
    for stale in takewhile(lambda path: _is_exported(path, store.run_id), paths):
        stale.unlink()
    return tuple(written)


def _is_exported(file: Path, run: str) -> bool:
    if not file.is_file():
        return False
    with file.open("rb") as stream:
        return stream.readline(100).startswith(f'{{"custom_id": "{run}-'.encode())


def parts(store: ResponseStore) -> Iterator[BatchFile]:
    """Yield the batch files of the unsent requests, one model after the other."""
    models = store.execute(
        f"SELECT model FROM unanswered WHERE {_UNSENT} GROUP BY model ORDER BY min(position)"
    )
    for (model,) in models:
        lines: dict[str, str] = {}
        size = 0
        for key, line in _lines(store, str(model)):
            length = len(line.encode())
            if lines and (len(lines) == MOST_REQUESTS or size + length > MOST_BYTES):
                yield BatchFile(str(model), lines)
                lines, size = {}, 0
            lines[key] = line
            size += length
        yield BatchFile(str(model), lines)


def _lines(store: ResponseStore, model: str) -> Iterator[tuple[str, str]]:
    """Yield key and line of each unsent request to a model; read them in pages, to save memory."""
    last = -1
    no_temperature = store.execute("SELECT 1 FROM about WHERE name = ?", NO_TEMPERATURE + model)
    page = f"unanswered WHERE {_UNSENT} AND model = ? AND position > ? ORDER BY position LIMIT 1000"
    while requests := queued(store, page, model, last):
        for request in requests:
            body = json.loads(request.body)
            if no_temperature:
                body.pop("temperature", None)
            if request.raw is not None:
                repair = repair_messages(request.raw, str(request.problem))
                body["messages"] += [{"role": role, "content": text} for role, text in repair]
            line = {
                "custom_id": f"{store.run_id}-{request.key[:32]}-{request.round}",
                "method": "POST",
                "url": "/v1/chat/completions",
                "body": body,
            }
            yield request.key, json.dumps(line, ensure_ascii=False) + "\n"
        last = requests[-1].position
