"""Import the answers to a batch: in any order, whole or in part, once or several times."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from uaeval.errors import (
    ModelError,
    RecordError,
    RefusedError,
    ReplyError,
    StorageError,
)
from uaeval.llm.batch.answer_line import AnswerLine, read_line, reply_text, token_usage
from uaeval.llm.batch.requests import leave_temperature_out
from uaeval.llm.ledger import write_usage
from uaeval.llm.parameters import Request
from uaeval.llm.reading import read_reply, reply_type_named
from uaeval.llm.store import ResponseStore
from uaeval.redaction import redact, without_known
from uaeval.storage import whole_characters

_NOT_REACHED: Final = {"batch_expired", "batch_cancelled", "batch_canceled"}
"""Codes of requests that were unanswered when their batch ended."""
_GAVE_WAY: Final = "no temperature"
"""Stands as the kind of a waiting request whose temperature was rejected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCounts:
    """What became of the lines of answer files."""

    imported: int = 0
    failed: int = 0
    """Errors, and replies that could not be read. The latter are asked for once more, and so are
    requests whose temperature was rejected."""
    not_reached: int = 0
    """Requests that were unanswered when the batch expired or was cancelled; they wait on."""
    unknown: int = 0
    """Ids of this run that were never asked."""
    already: int = 0
    """Answers that were imported before."""
    unreadable: tuple[str, ...] = ()
    """The lines that are no answers at all: `answers.jsonl, line 3`."""

    def __add__(self, other: "ImportCounts") -> "ImportCounts":
        names = [each.name for each in fields(self)]
        return ImportCounts(**{name: getattr(self, name) + getattr(other, name) for name in names})


@dataclass(frozen=True, slots=True, kw_only=True)
class _OpenRequest(Request):
    """A request of this run when its answer is imported."""

    answered: bool
    round: int
    in_repair: str | None
    """The reply that it asks to repair."""
    gave_way: bool
    """It is asked without a temperature, since the model rejected that."""


def import_answers(files: Iterable[Path], store: ResponseStore) -> ImportCounts:
    """Import answer and error files of the Batch API: all of them or, on any error, none.

    Raises:
        StorageError: a file cannot be read, belongs to another run, or is a request file.
    """
    counts = ImportCounts()
    with store.transaction():
        for file in files:
            try:
                with file.open("rb") as stream:
                    for number, line in enumerate(stream, start=1):
                        if line.strip():
                            counts += _import_line(store, f"{file}, line {number}", line)
            except OSError as error:
                raise StorageError(f"{file} cannot be read: {error.strerror}") from error
    return counts


def _import_line(store: ResponseStore, place: str, line: bytes) -> ImportCounts:
    answer = read_line(line, store.run_id, place)
    if answer is None:
        return ImportCounts(unreadable=(place,))
    asked = _open_request(store, answer.key_start)
    return ImportCounts(unknown=1) if asked is None else _import_answer(store, asked, answer)


def _open_request(store: ResponseStore, key_start: str) -> _OpenRequest | None:
    rows = store.execute(
        "SELECT key, model, prompt, reply_type, body, crc, round, raw, kind, "
        "key IN (SELECT key FROM replies) FROM requests WHERE key BETWEEN ? AND ?",
        key_start,
        f"{key_start}~",
    )
    if not rows:
        return None
    key, model, prompt, reply_type, body, crc, number, raw, kind, answered = rows[0]
    store.verify(crc, key, model, prompt, reply_type, body)
    return _OpenRequest(
        key=str(key),
        model=str(model),
        prompt=str(prompt),
        reply_type=reply_type_named(str(reply_type)),
        answered=bool(answered),
        round=int(number or 0),
        in_repair=None if raw is None else str(raw),
        gave_way=kind == _GAVE_WAY,
    )


def _import_answer(store: ResponseStore, asked: _OpenRequest, answer: AnswerLine) -> ImportCounts:
    """Store the reply, or the failure unless a later round was opened since."""
    if asked.answered:
        return ImportCounts(already=1)
    if answer.error.get("code") in _NOT_REACHED:
        return ImportCounts(not_reached=1)
    text = ""
    try:
        text, cut_off = reply_text(answer)
        reply = read_reply(text, asked.reply_type, cut_off=cut_off)
    except RecordError as error:
        if answer.round != asked.round:
            return ImportCounts(already=1)
        _store_failure(store, asked, answer, text, error)
        _count(store, asked, answer)
        return ImportCounts(failed=1)
    if answer.round != asked.round and reply.model_dump_json() == asked.in_repair:
        return ImportCounts(already=1)
    store.put(asked, reply)
    _count(store, asked, answer)
    return ImportCounts(imported=1)


def _store_failure(
    store: ResponseStore, asked: _OpenRequest, answer: AnswerLine, text: str, error: RecordError
) -> None:
    """Store a failure, or open the next round where that may bring a reply."""
    key = asked.key
    rejected = answer.status in (400, 422) and isinstance(error, ModelError)
    if rejected and "temperature" in str(error).lower() and not asked.gave_way:
        leave_temperature_out(store, asked.model)
        store.execute(
            "UPDATE requests SET round = round + 1, kind = ? WHERE key = ?", _GAVE_WAY, key
        )
        return
    unreadable = isinstance(error, ReplyError)
    store.execute(
        "UPDATE requests SET state = ?, round = round + 1, raw = ?, kind = ?, problem = ? "
        "WHERE key = ?",
        "pending" if unreadable and asked.in_repair is None else "failed",
        without_known(whole_characters(text)) if unreadable else None,
        type(error).__name__,
        redact(whole_characters(error.text if isinstance(error, RefusedError) else str(error))),
        key,
    )


def _count(store: ResponseStore, asked: _OpenRequest, answer: AnswerLine) -> None:
    """Add the tokens of a completion to the ledger, whatever it says; an error took none."""
    if answer.body.get("choices"):
        used = token_usage(answer.body.get("usage"))
        write_usage(store, asked.model, asked.prompt, used, batch=True)
