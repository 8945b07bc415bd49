"""Import the answers to a batch: in any order, whole or in part, once or several times."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from uaeval.errors import (
    BlockedError,
    ModelError,
    RecordError,
    RefusedError,
    ReplyError,
    StorageError,
)
from uaeval.llm.batch.requests import leave_temperature_out
from uaeval.llm.ledger import write_usage
from uaeval.llm.parameters import Usage
from uaeval.llm.reading import KEPT, read_reply, reply_type_named
from uaeval.llm.request import Request
from uaeval.llm.store import ResponseStore

_ID: Final = re.compile(r"(?P<run>[0-9a-f]{12})-(?P<key>[0-9a-f]{32})-(?P<round>\d{1,6})")
_NOT_REACHED: Final = {"batch_expired", "batch_cancelled", "batch_canceled"}
"""Codes of requests that were unanswered when their batch ended."""
_CUT_OFF: Final = {"length", "max_tokens"}
_FILTERED: Final = ("content_filter", "content_policy")
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
class _OpenRequest:
    """A request of this run when its answer is imported."""

    request: Request
    answered: bool
    round: int
    in_repair: str | None
    """The reply that it asks to repair."""
    gave_way: bool
    """It is asked without a temperature, since the model rejected that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnswerLine:
    """One line of an answer file."""

    key_start: str
    round: int
    status: object
    body: dict[str, Any]
    error: dict[str, Any]


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
    answer = _read_line(line, store.run_id, place)
    if answer is None:
        return ImportCounts(unreadable=(place,))
    asked = _open_request(store, answer.key_start)
    return ImportCounts(unknown=1) if asked is None else _import_answer(store, asked, answer)


def _read_line(line: bytes, run_id: str, place: str) -> _AnswerLine | None:
    """Return the answer that a line holds, or `None` if it holds none."""
    try:
        content = _object(json.loads(line))
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
    body = _object(_object(response).get("body"))
    return _AnswerLine(
        key_start=name["key"],
        round=int(name["round"]),
        status=_object(response).get("status_code"),
        body=body,
        error=_error(content.get("error")) or _error(body.get("error")),
    )


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _error(content: object) -> dict[str, Any]:
    """Return code and message; vLLM nests them once more, or gives only a message."""
    nested = _object(content).get("error")
    content = nested if isinstance(nested, dict) else content
    return _object(content) or ({"message": content} if content else {})


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
    request = Request(
        key=str(key),
        model=str(model),
        prompt=str(prompt),
        reply_type=reply_type_named(str(reply_type)),
    )
    return _OpenRequest(
        request=request,
        answered=bool(answered),
        round=int(number or 0),
        in_repair=None if raw is None else str(raw),
        gave_way=kind == _GAVE_WAY,
    )


def _import_answer(store: ResponseStore, asked: _OpenRequest, answer: _AnswerLine) -> ImportCounts:
    """Store the reply, or the failure unless a later round was opened since."""
    if asked.answered:
        return ImportCounts(already=1)
    if answer.error.get("code") in _NOT_REACHED:
        return ImportCounts(not_reached=1)
    text = ""
    try:
        text, cut_off = _reply_text(answer)
        if cut_off:
            raise ReplyError(
                f"the reply was cut off at the token limit; raise max_tokens ({text[:KEPT]!r})"
            )
        reply = read_reply(text, asked.request.reply_type)
    except RecordError as error:
        if answer.round != asked.round:
            return ImportCounts(already=1)
        _store_failure(store, asked, answer, text, error)
        _count(store, asked, answer)
        return ImportCounts(failed=1)
    if answer.round != asked.round and reply.model_dump_json() == asked.in_repair:
        return ImportCounts(already=1)
    store.put(asked.request, reply)
    _count(store, asked, answer)
    return ImportCounts(imported=1)


def _store_failure(
    store: ResponseStore, asked: _OpenRequest, answer: _AnswerLine, text: str, error: RecordError
) -> None:
    """Store a failure, or open the next round where that may bring a reply."""
    key = asked.request.key
    rejected = answer.status in {400, 422} and isinstance(error, ModelError)
    if rejected and "temperature" in str(error).lower() and not asked.gave_way:
        leave_temperature_out(store, asked.request.model)
        store.execute(
            "UPDATE requests SET round = round + 1, kind = ? WHERE key = ?", _GAVE_WAY, key
        )
        return
    unreadable = isinstance(error, ReplyError)
    store.execute(
        "UPDATE requests SET state = ?, round = round + 1, raw = ?, kind = ?, problem = ? "
        "WHERE key = ?",
        "pending" if unreadable and asked.in_repair is None else "failed",
        text if unreadable else None,
        type(error).__name__,
        error.text if isinstance(error, RefusedError) else str(error),
        key,
    )


def _reply_text(answer: _AnswerLine) -> tuple[str, bool]:
    """Return the model's text and whether it was cut off.

    Raises:
        RecordError: the answer is an error, a refusal or no chat completion.
    """
    if answer.error or answer.status != 200:
        code, message = answer.error.get("code"), answer.error.get("message")
        reason = str(message or "no reason given")
        problem = (
            f"the batch answer is an error ({code or f'HTTP {answer.status}'}): {reason[:300]}"
        )
        blocked = any(sign in f"{code} {reason}" for sign in _FILTERED)
        raise (BlockedError if blocked else ModelError)(problem)
    try:
        choice = answer.body["choices"][0]
        content, refusal = choice["message"].get("content"), choice["message"].get("refusal")
        reason = choice.get("finish_reason")
    except (LookupError, TypeError, AttributeError) as error:
        raise ModelError("the batch answer holds no message") from error
    if reason == "content_filter":
        raise BlockedError("the provider's content filter stopped the batch answer")
    if refusal:
        raise RefusedError(str(refusal))
    return content if isinstance(content, str) else "", reason in _CUT_OFF


def _count(store: ResponseStore, asked: _OpenRequest, answer: _AnswerLine) -> None:
    """Add the tokens of a completion to the ledger, whatever it says; an error took none."""
    if answer.body.get("choices"):
        used = _usage(answer.body.get("usage"))
        write_usage(store, asked.request.model, asked.request.prompt, used, batch=True)


def _usage(used: object) -> Usage:
    if not isinstance(used, dict):
        return Usage(calls=1, without_usage=1)
    details = _object(used.get("prompt_tokens_details"))
    return Usage(
        calls=1,
        prompt_tokens=_tokens(used.get("prompt_tokens")),
        completion_tokens=_tokens(used.get("completion_tokens")),
        cached_tokens=_tokens(details.get("cached_tokens")),
    )


def _tokens(count: object) -> int:
    return count if isinstance(count, int) else 0
