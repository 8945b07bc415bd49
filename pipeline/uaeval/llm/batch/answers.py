"""Import the answers to a batch: in any order, whole or in part, once or several times."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from uaeval.errors import ModelError, RecordError, StorageError
from uaeval.llm.batch.answer_line import AnswerLine, read_line, reply_text
from uaeval.llm.batch.requests import (
    QueuedRequest,
    leave_temperature_out,
    queued,
    store_failure,
)
from uaeval.llm.ledger import write_usage
from uaeval.llm.parameters import Usage
from uaeval.llm.reading import read_reply, reply_type_named
from uaeval.llm.store import ResponseStore

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
    start = answer.key_start
    asked = queued(store, "requests WHERE key BETWEEN ? AND ?", start, f"{start}~")
    return _import_answer(store, asked[0], answer) if asked else ImportCounts(unknown=1)


def _import_answer(store: ResponseStore, asked: QueuedRequest, answer: AnswerLine) -> ImportCounts:
    """Store the reply, or the failure unless a later round was opened since."""
    if store.execute("SELECT 1 FROM replies WHERE key = ?", asked.key):
        return ImportCounts(already=1)
    if answer.error.get("code") in _NOT_REACHED:
        return ImportCounts(not_reached=1)
    try:
        text, cut_off = reply_text(answer)
        reply = read_reply(text, reply_type_named(asked.reply_type), cut_off=cut_off)
    except RecordError as error:
        if answer.round != asked.round:
            return ImportCounts(already=1)
        if not _gives_way(store, asked, answer, error):
            store_failure(store, asked.key, error)
        _count(store, asked, answer)
        return ImportCounts(failed=1)
    if answer.round != asked.round and reply.model_dump_json() == asked.raw:
        return ImportCounts(already=1)
    store.put(asked, reply)
    _count(store, asked, answer)
    return ImportCounts(imported=1)


def _gives_way(
    store: ResponseStore, asked: QueuedRequest, answer: AnswerLine, error: RecordError
) -> bool:
    """Ask once more without a temperature if the model rejected that."""
    rejected = answer.status in (400, 422) and isinstance(error, ModelError)
    if not rejected or "temperature" not in str(error).lower() or asked.kind == _GAVE_WAY:
        return False
    leave_temperature_out(store, asked.model)
    store.execute(
        "UPDATE requests SET round = round + 1, kind = ? WHERE key = ?", _GAVE_WAY, asked.key
    )
    return True


def _count(store: ResponseStore, asked: QueuedRequest, answer: AnswerLine) -> None:
    """Add the tokens of a completion to the ledger, whatever it says; an error took none."""
    if answer.body.get("choices"):
        used = Usage.reported(answer.body.get("usage"), calls=1)
        write_usage(store, asked.model, asked.prompt, used, batch=True)
