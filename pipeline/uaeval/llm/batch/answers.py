"""Import the answers to a batch, in any order; partial and repeated imports are allowed."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, NamedTuple

from uaeval.errors import BlockedError, ModelError, RecordError, RefusedError, StorageError
from uaeval.llm.batch.requests import NO_TEMPERATURE, QueuedRequest, queued, store_failure
from uaeval.llm.ledger import write_usage
from uaeval.llm.reading import read_reply, reply_type_named
from uaeval.llm.stop_reasons import CUT_OFF, FILTERED, names_content_filter, stop_reasons
from uaeval.llm.store import ResponseStore
from uaeval.llm.usage import Usage

_ID: Final = re.compile(r"(?P<run>[0-9a-f]{12})-(?P<key>[0-9a-f]{32})-(?P<round>\d{1,6})")
_RETRIED: Final = "no temperature"
"""The `kind` of a pending request that is repeated because its temperature was rejected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCounts:
    """Counts of the lines of answer files by what was done with them."""

    imported: int = 0
    failed: int = 0
    """Errors and unreadable replies. After an unreadable reply or a rejected temperature the
    request is queued once more."""
    not_reached: int = 0
    """Requests that were unanswered when the batch expired or was cancelled; they stay queued."""
    unknown: int = 0
    """Answers to requests that this run did not make."""
    already: int = 0
    """Answers that had been imported before."""
    unreadable: tuple[str, ...] = ()
    """The lines that are not answers, such as `answers.jsonl, line 3`."""

    def __add__(self, other: "ImportCounts") -> "ImportCounts":
        names = [field.name for field in fields(self)]
        return ImportCounts(**{name: getattr(self, name) + getattr(other, name) for name in names})


class _AnswerLine(NamedTuple):
    """One line of an answer file; `charged` is the usage that a Ray worker recorded."""

    key_start: str
    round: int
    status: object
    body: dict[str, Any]
    error: dict[str, Any]
    charged: Usage | None


def import_answers(files: Iterable[Path], store: ResponseStore) -> ImportCounts:
    """Import answer and error files of the Batch API: all of them or, with `StorageError`, none."""
    counts = ImportCounts()
    with store.transaction():
        for file in files:
            try:
                with file.open("rb") as stream:
                    counts += import_lines(stream, store, str(file))
            except OSError as error:
                raise StorageError(f"{file} cannot be read: {error.strerror}") from error
    return counts


def import_lines(lines: Iterable[bytes], store: ResponseStore, source: str) -> ImportCounts:
    """Import the lines of an answer file; the caller opens the transaction."""
    counts = ImportCounts()
    for number, line in enumerate(lines, start=1):
        if line.strip():
            place = f"{source}, line {number}"
            answer = _read_line(line, store.run_id, place)
            counts += _import(store, answer) if answer else ImportCounts(unreadable=(place,))
    return counts


def _import(store: ResponseStore, answer: _AnswerLine) -> ImportCounts:
    """Store the reply of an answer, or its failure if it is of the request's current round."""
    start = answer.key_start
    requests = queued(store, "requests WHERE key BETWEEN ? AND ?", start, f"{start}~")
    if not requests:
        return ImportCounts(unknown=1)
    request = requests[0]
    if store.execute("SELECT 1 FROM replies WHERE key = ?", request.key):
        return ImportCounts(already=1)
    if answer.error.get("code") in {"batch_expired", "batch_cancelled", "batch_canceled"}:
        return ImportCounts(not_reached=1)
    try:
        text, cut_off = _reply_text(answer)
        reply = read_reply(text, reply_type_named(request.reply_type), cut_off=cut_off)
    except RecordError as error:
        if answer.round != request.round:
            return ImportCounts(already=1)
        if not _retry_without_temperature(store, request, answer, error):
            store_failure(store, request.key, error)
        _record_usage(store, request, answer)
        return ImportCounts(failed=1)
    if answer.round != request.round and reply.model_dump_json() == request.raw:
        return ImportCounts(already=1)
    store.put(request, reply)
    _record_usage(store, request, answer)
    return ImportCounts(imported=1)


def _retry_without_temperature(
    store: ResponseStore, request: QueuedRequest, answer: _AnswerLine, error: RecordError
) -> bool:
    """Queue the request without a temperature if the model rejected it; return whether so."""
    rejected = answer.status in (400, 422) and isinstance(error, ModelError)
    if not rejected or "temperature" not in str(error).lower() or request.kind == _RETRIED:
        return False
    note = NO_TEMPERATURE + request.model
    store.execute("INSERT OR IGNORE INTO about VALUES (?, 'yes')", note)
    update = "UPDATE requests SET round = round + 1, kind = ? WHERE key = ?"
    store.execute(update, _RETRIED, request.key)
    return True


def _record_usage(store: ResponseStore, request: QueuedRequest, answer: _AnswerLine) -> None:
    """Add the tokens of a completion to the ledger; an error has none."""
    if answer.charged is not None:
        write_usage(store, request.model, request.prompt, answer.charged)
    elif answer.body.get("choices"):
        usage = Usage.reported(answer.body.get("usage"), calls=1)
        write_usage(store, request.model, request.prompt, usage, batch=True)


def _read_line(line: bytes, run_id: str, place: str) -> _AnswerLine | None:
    try:
        content = _as_dict(json.loads(line))
    except (ValueError, RecursionError):
        return None
    custom_id, response = content.get("custom_id"), content.get("response")
    if not isinstance(custom_id, str):
        return None
    name = _ID.fullmatch(custom_id)
    if name is None or name["run"] != run_id:
        raise StorageError(
            f"{place} answers {custom_id[:80]!r}, which is of another run; "
            "import the answers to the requests that were exported from this folder"
        )
    if "method" in content and "body" in content:
        raise StorageError(f"{place} is a request; import the file of answers instead")
    if not isinstance(response, dict) and not content.get("error"):
        return None
    body = _as_dict(_as_dict(response).get("body"))
    return _AnswerLine(
        key_start=name["key"],
        round=int(name["round"]),
        status=_as_dict(response).get("status_code"),
        body=body,
        error=_error(content.get("error")) or _error(body.get("error")),
        charged=Usage(**content["charged"]) if "charged" in content else None,
    )


def _as_dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _error(content: object) -> dict[str, Any]:
    """Return the code and message of an error; vLLM nests them, or gives only a message."""
    nested = _as_dict(content).get("error")
    content = nested if isinstance(nested, dict) else content
    return _as_dict(content) or ({"message": content} if content else {})


def _reply_text(answer: _AnswerLine) -> tuple[str, bool]:
    """Return the model's text and whether it was cut off; raise `RecordError` for an error."""
    if answer.error or answer.status != 200:
        code, message = answer.error.get("code"), answer.error.get("message")
        reason = str(message or "no reason given")
        status = code or f"HTTP {answer.status}"
        blocked = names_content_filter(f"{code} {reason}")
        kind = BlockedError if blocked else ModelError
        raise kind(f"the batch answer is an error ({status}): {reason[:300]}")
    try:
        choice = answer.body["choices"][0]
        content, refusal = choice["message"].get("content"), choice["message"].get("refusal")
        reasons = stop_reasons(choice)
    except (LookupError, TypeError, AttributeError) as error:
        raise ModelError("the batch answer holds no message") from error
    if reasons & FILTERED:
        raise BlockedError("the provider's content filter stopped the batch answer")
    if refusal:
        raise RefusedError(str(refusal))
    return content if isinstance(content, str) else "", bool(reasons & CUT_OFF)
