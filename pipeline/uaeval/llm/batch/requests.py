"""The requests of a run that wait for a batch, as files in OpenAI's Batch format.

The files go out through a Batch API (`submitted`) or by hand; `vllm run-batch` reads and writes
the same format. Each line's `custom_id` is `<run id>-<start of the key>-<round>`; an unreadable
answer opens a second round, in which the request carries the order to repair it.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count, takewhile
from pathlib import Path
from typing import Final

from uaeval.errors import StorageError
from uaeval.llm.reading import repair_order
from uaeval.llm.store import ResponseStore

MOST_REQUESTS: Final = 50_000
"""What OpenAI accepts in one batch file."""
MOST_BYTES: Final = 100_000_000
"""Half of what OpenAI accepts in one: other endpoints take less, and a file that could not be sent
is sent again from its beginning."""
_PENDING: Final = "state = 'pending'"
_SENT: Final = "key IN (SELECT key FROM sent_requests)"


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


def retry_failures(store: ResponseStore) -> int:
    """Turn every failure into a pending request; return how many there were."""
    failed = failures(store)
    store.execute(
        "UPDATE requests SET state = 'pending', raw = NULL, kind = NULL, problem = NULL "
        "WHERE state = 'failed'"
    )
    return failed


def drop_unsent(store: ResponseStore) -> None:
    """Delete the waiting requests that are in no batch."""
    unsent = f"SELECT key FROM unanswered WHERE {_PENDING} AND NOT {_SENT}"
    store.execute(f"DELETE FROM requests WHERE key IN ({unsent})")


# --- files --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchFile:
    """The content of one batch file: requests to one model, as many as fit."""

    model: str
    """`provider:model`."""
    keys: tuple[str, ...]
    lines: tuple[str, ...]


def export(store: ResponseStore, file: Path) -> tuple[Path, ...]:
    """Write every waiting request that is in no batch, in the order asked; return the files.

    What does not fit in `file` goes to `<stem>-2`, `<stem>-3` and so on. Files of those names from
    an earlier export are removed.
    """
    places = chain([file], (file.with_stem(f"{file.stem}-{number}") for number in count(2)))
    written: list[Path] = []
    for part, place in zip(parts(store), places, strict=False):
        _write(place, part.lines)
        written.append(place)
    for stale in takewhile(lambda place: _is_exported(place, store.run_id), places):
        stale.unlink()
    return tuple(written)


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
    """Yield key and line of each request to a model, read page by page: there may be many."""
    last = -1
    rejected = store.execute("SELECT 1 FROM about WHERE name = ?", _without(model))
    left_out = {"temperature"} if rejected else set()
    while rows := store.execute(
        "SELECT position, key, model, prompt, reply_type, body, crc, round, raw, problem "
        f"FROM unanswered WHERE {_PENDING} AND NOT {_SENT} AND model = ? AND position > ? "
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


def leave_temperature_out(store: ResponseStore, model: str) -> None:
    """Ask the model without a temperature from now on."""
    store.execute("INSERT OR IGNORE INTO about VALUES (?, 'yes')", _without(model))


def _without(model: str) -> str:
    return f"without temperature: {model}"
