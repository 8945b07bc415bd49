"""The requests of a run that wait for a batch, as files in OpenAI's Batch format.

The files go out through a Batch API (`submitted`) or by hand; `vllm run-batch` reads and writes
the same format. Each line's `custom_id` is `<run id>-<start of the key>-<round>`; an unreadable
answer opens a second round, in which the request carries the order to repair it.
"""

import json
from collections.abc import Iterator
from itertools import chain, count, takewhile
from pathlib import Path
from typing import Final, NamedTuple

from uaeval.errors import (
    BlockedError,
    ModelError,
    RecordError,
    RefusedError,
    ReplyError,
)
from uaeval.llm.parameters import Request
from uaeval.llm.reading import repair_order
from uaeval.llm.store import ResponseStore
from uaeval.redaction import redact, without_known
from uaeval.storage import whole_characters, write_pieces

MOST_REQUESTS: Final = 50_000
"""What OpenAI accepts in one batch file."""
MOST_BYTES: Final = 100_000_000
"""Half of what OpenAI accepts in one: other endpoints take less, and a file that could not be sent
is sent again from its beginning."""
_PENDING: Final = "state = 'pending'"
_SENT: Final = "key IN (SELECT key FROM sent_requests)"
_FREE: Final = f"{_PENDING} AND NOT {_SENT}"
_KINDS: Final[dict[str, type[RecordError]]] = {
    kind.__name__: kind for kind in (ModelError, RefusedError, BlockedError, ReplyError)
}


class QueuedRequest(Request):
    """A request as it is stored, with what became of it so far."""

    position: int
    body: str
    crc: int
    state: str
    """`pending` or `failed`."""
    round: int
    """From 1; every failure opens another."""
    raw: str | None
    """The reply that is to be repaired, or that stayed unreadable."""
    kind: str | None
    problem: str | None


def queued(store: ResponseStore, source: str, *values: str | int) -> tuple[QueuedRequest, ...]:
    """Return the requests of `SELECT … FROM source`; `StorageError` if one is damaged."""
    requests = store.select(QueuedRequest, source, *values)
    for asked in requests:
        content = (asked.key, asked.model, asked.prompt, asked.reply_type, asked.body)
        store.verify(asked.crc, *content)
    return requests


def waiting(store: ResponseStore) -> int:
    """Count the requests that have neither an answer nor a failure."""
    return _count(store, _PENDING)


def underway(store: ResponseStore) -> int:
    """Count the waiting requests that are in a batch at an endpoint."""
    return _count(store, f"{_PENDING} AND {_SENT}")


def failures(store: ResponseStore) -> int:
    """Count the requests whose failure is stored."""
    return _count(store, "state = 'failed'")


def _count(store: ResponseStore, condition: str) -> int:
    rows = store.execute(f"SELECT count(*) FROM unanswered WHERE {condition}")
    return int(rows[0][0] or 0)


def drop_unsent(store: ResponseStore) -> None:
    """Delete the waiting requests that are in no batch."""
    store.execute(f"DELETE FROM requests WHERE key IN (SELECT key FROM unanswered WHERE {_FREE})")


# --- failures -----------------------------------------------------------------------------------


def store_failure(store: ResponseStore, key: str, error: RecordError) -> None:
    """Store why a request has no reply; one that cannot be read is first asked to be repaired."""
    unreadable = isinstance(error, ReplyError) and error.raw is not None
    store.execute(
        "UPDATE requests SET round = round + 1, raw = ?1, kind = ?2, problem = ?3, "
        "state = iif(?1 IS NOT NULL AND raw IS NULL, 'pending', 'failed') WHERE key = ?4",
        without_known(whole_characters(error.raw or "")) if unreadable else None,
        type(error).__name__,
        redact(whole_characters(error.text if isinstance(error, RefusedError) else str(error))),
        key,
    )


def stored_failure(store: ResponseStore, asked: QueuedRequest) -> RecordError | None:
    """Return the failure that is stored for a request, or `None` if it waits for an answer."""
    if asked.state == "pending":
        return None
    if asked.kind not in _KINDS:
        raise store.damaged(f"unknown kind of failure {asked.kind}")
    error = _KINDS[asked.kind](str(asked.problem))
    error.raw = error.raw if asked.raw is None else asked.raw
    return error


def retry_failures(store: ResponseStore) -> int:
    """Turn every failure into a pending request; return how many there were."""
    failed = failures(store)
    store.execute(
        "UPDATE requests SET state = 'pending', raw = NULL, kind = NULL, problem = NULL "
        "WHERE state = 'failed'"
    )
    return failed


# --- files --------------------------------------------------------------------------------------


class BatchFile(NamedTuple):
    """The content of one batch file: requests to one model, as many as fit."""

    model: str
    """`provider:model`."""
    lines: dict[str, str]
    """By key."""


def export(store: ResponseStore, file: Path) -> tuple[Path, ...]:
    """Write every waiting request that is in no batch, in the order asked; return the files.

    What does not fit in `file` goes to `<stem>-2`, `<stem>-3` and so on. Files of those names from
    an earlier export are removed.
    """
    places = chain([file], (file.with_stem(f"{file.stem}-{number}") for number in count(2)))
    written: list[Path] = []
    for part, place in zip(parts(store), places, strict=False):
        write_pieces(place, (line.encode() for line in part.lines.values()))
        written.append(place)
    for stale in takewhile(lambda place: _is_exported(place, store.run_id), places):
        stale.unlink()
    return tuple(written)


def _is_exported(file: Path, run: str) -> bool:
    if not file.is_file():
        return False
    with file.open("rb") as stream:
        return stream.readline(100).startswith(f'{{"custom_id": "{run}-'.encode())


def parts(store: ResponseStore) -> Iterator[BatchFile]:
    """Yield the waiting requests that are in no batch, as the batch files that hold them."""
    models = store.execute(
        f"SELECT model FROM unanswered WHERE {_FREE} GROUP BY model ORDER BY min(position)"
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
    """Yield key and line of each request to a model, read page by page: there may be many."""
    last = -1
    rejected = store.execute("SELECT 1 FROM about WHERE name = ?", _without(model))
    page = f"unanswered WHERE {_FREE} AND model = ? AND position > ? ORDER BY position LIMIT 1000"
    while requests := queued(store, page, model, last):
        for asked in requests:
            body = json.loads(asked.body)
            if rejected:
                body.pop("temperature", None)
            if asked.raw is not None:
                body["messages"] += [
                    {"role": "assistant", "content": asked.raw or "(nothing)"},
                    {"role": "user", "content": repair_order(str(asked.problem))},
                ]
            line = {
                "custom_id": f"{store.run_id}-{asked.key[:32]}-{asked.round}",
                "method": "POST",
                "url": "/v1/chat/completions",
                "body": body,
            }
            yield asked.key, json.dumps(line, ensure_ascii=False) + "\n"
        last = requests[-1].position


def leave_temperature_out(store: ResponseStore, model: str) -> None:
    """Ask the model without a temperature from now on."""
    store.execute("INSERT OR IGNORE INTO about VALUES (?, 'yes')", _without(model))


def _without(model: str) -> str:
    return f"without temperature: {model}"
