"""Taking in the answers to a batch: in any order, whole or in part, once or several times."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final, NoReturn

from uaeval.errors import (
    BlockedError,
    ModelError,
    RecordError,
    RefusedError,
    ReplyError,
    StorageError,
)
from uaeval.llm.batch import leave_temperature_out
from uaeval.llm.ledger import write_usage
from uaeval.llm.parameters import Usage
from uaeval.llm.reading import KEPT, read_reply, reply_type_named
from uaeval.llm.request import Request
from uaeval.llm.store import ResponseStore
from uaeval.redaction import redact, without_known
from uaeval.storage import whole_characters

_ID: Final = re.compile(r"(?P<run>[0-9a-f]{12})-(?P<key>[0-9a-f]{32})-(?P<round>\d{1,6})")
_NOT_REACHED: Final = {"batch_expired", "batch_cancelled", "batch_canceled"}
"""Codes of requests that a batch ended before."""
_CUT_OFF: Final = {"length", "max_tokens"}
_GAVE_WAY: Final = "no temperature"
"""Stands as the kind of a waiting request whose temperature was turned down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCounts:
    """What became of the lines of answer files."""

    imported: int = 0
    failed: int = 0
    """Errors, and replies that could not be read. The latter are asked for once more, and so are
    requests whose temperature was turned down."""
    not_reached: int = 0
    """Requests that the batch did not come to before it expired or was cancelled; they wait on."""
    unknown: int = 0
    """Ids of this run that were never asked."""
    already: int = 0
    """Answers that were there before."""
    unreadable: tuple[str, ...] = ()
    """The lines that are no answers at all: `answers.jsonl, line 3`."""

    def __add__(self, other: "ImportCounts") -> "ImportCounts":
        sums = {
            each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)
        }
        return ImportCounts(**sums)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OpenRequest:
    """A request of this run, as it stands when its answer comes."""

    request: Request
    answered: bool
    round: int
    in_repair: str | None
    """The reply that it was told to repair."""
    gave_way: bool
    """It is asked without a temperature, since the model turned that down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnswerLine:
    """One line of an answer file."""

    key_start: str
    round: int
    response: dict[str, object]
    error: dict[str, object]


def import_answers(files: Iterable[Path], store: ResponseStore) -> ImportCounts:
    """Take in answer and error files of the Batch API: all of them or, on any error, none.

    They may come in any order, hold a part of the answers only, and be taken in again.

    Raises:
        StorageError: a file cannot be read, belongs to another run, or is a request file.
    """
    counts = ImportCounts()
    with store.transaction():
        for file in files:
            counts += _take_file(store, file)
    return counts


def _take_file(store: ResponseStore, file: Path) -> ImportCounts:
    counts = ImportCounts()
    try:
        with file.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    counts += _take_line(store, f"{file}, line {number}", line)
    except OSError as error:
        raise StorageError(f"{file} cannot be read: {error.strerror}") from error
    return counts


def _take_line(store: ResponseStore, place: str, line: bytes) -> ImportCounts:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    named = isinstance(found, dict) and isinstance(found.get("custom_id"), str)
    answer = _answer(found, store.run_id, place) if named else None
    if answer is None:
        return ImportCounts(unreadable=(place,))
    asked = _asked(store, answer.key_start)
    if asked is None:
        return ImportCounts(unknown=1)
    return _settle(store, asked, answer)


def _answer(line: dict[str, object], run_id: str, place: str) -> _AnswerLine | None:
    name = _ID.fullmatch(str(line["custom_id"]))
    if name is None or name["run"] != run_id:
        raise StorageError(
            f"{place} answers {str(line['custom_id'])[:80]!r}, which is of another run; "
            "import the answers to the requests that were exported from this folder"
        )
    if "method" in line and "body" in line:
        raise StorageError(f"{place} is a request; import the file of answers instead")
    response, error = line.get("response"), line.get("error")
    if not isinstance(response, dict) and not error:
        return None
    return _AnswerLine(
        key_start=name["key"],
        round=int(name["round"]),
        response=response if isinstance(response, dict) else {},
        error=_error(error),
    )


def _error(told: object) -> dict[str, object]:
    """Return code and message; vLLM nests them once more, or tells a message alone."""
    if isinstance(told, dict) and isinstance(told.get("error"), dict):
        told = told["error"]
    if isinstance(told, dict):
        return told
    return {"message": told} if told else {}


def _asked(store: ResponseStore, key_start: str) -> _OpenRequest | None:
    rows = store.execute(
        "SELECT key, model, prompt, reply_type, round, raw, kind, "
        "key IN (SELECT key FROM replies) FROM requests WHERE key BETWEEN ? AND ?",
        key_start,
        f"{key_start}~",
    )
    if not rows:
        return None
    key, model, prompt, reply_type, number, raw, kind, answered = rows[0]
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


def _settle(store: ResponseStore, asked: _OpenRequest, answer: _AnswerLine) -> ImportCounts:
    """Keep the reply, or what is wrong with the answer unless a later round was opened since."""
    if asked.answered:
        return ImportCounts(already=1)
    if answer.error.get("code") in _NOT_REACHED:
        return ImportCounts(not_reached=1)
    text = ""
    try:
        text, cut_off = _said(answer)
        if cut_off:
            raise ReplyError(
                f"the reply was cut off at the token limit; raise max_tokens ({text[:KEPT]!r})"
            )
        reply = read_reply(text, asked.request.reply_type)
    except RecordError as error:
        if answer.round != asked.round:
            return ImportCounts(already=1)
        if _is_about_temperature(answer, error) and not asked.gave_way:
            _leave_temperature_out(store, asked)
        else:
            _keep_failure(store, asked, text, error)
        _count(store, asked, answer)
        return ImportCounts(failed=1)
    if answer.round != asked.round and reply.model_dump_json() == asked.in_repair:
        return ImportCounts(already=1)
    store.put(asked.request, reply)
    _count(store, asked, answer)
    return ImportCounts(imported=1)


def _keep_failure(store: ResponseStore, asked: _OpenRequest, text: str, error: RecordError) -> None:
    repairable = isinstance(error, ReplyError) and asked.in_repair is None
    store.execute(
        "UPDATE requests SET state = ?, round = round + 1, raw = ?, kind = ?, problem = ? "
        "WHERE key = ?",
        "pending" if repairable else "failed",
        without_known(whole_characters(text)) if isinstance(error, ReplyError) else None,
        type(error).__name__,
        redact(whole_characters(error.text if isinstance(error, RefusedError) else str(error))),
        asked.request.key,
    )


def _is_about_temperature(answer: _AnswerLine, error: RecordError) -> bool:
    turned_down = answer.response.get("status_code") in (400, 422)
    return turned_down and isinstance(error, ModelError) and "temperature" in str(error).lower()


def _leave_temperature_out(store: ResponseStore, asked: _OpenRequest) -> None:
    """Have the request, and all others to this model, asked without a temperature."""
    leave_temperature_out(store, asked.request.model)
    store.execute(
        "UPDATE requests SET round = round + 1, kind = ? WHERE key = ?",
        _GAVE_WAY,
        asked.request.key,
    )


def _said(answer: _AnswerLine) -> tuple[str, bool]:
    """Return what the model said and whether it was cut off; raise what kept it from saying it."""
    body = answer.response.get("body")
    body = body if isinstance(body, dict) else {}
    status = answer.response.get("status_code")
    if answer.error or status != 200:
        _raise_error(answer.error or _error(body.get("error")), status)
    try:
        choice = body["choices"][0]
        message = choice["message"]
        content, refusal = message.get("content"), message.get("refusal")
    except (LookupError, TypeError, AttributeError) as error:
        raise ModelError("the batch answer holds no message") from error
    if choice.get("finish_reason") == "content_filter":
        raise BlockedError("the provider's content filter stopped the batch answer")
    if refusal:
        raise RefusedError(str(refusal))
    text = content if isinstance(content, str) else ""
    return text, str(choice.get("finish_reason")) in _CUT_OFF


def _raise_error(error: dict[str, object], status: object) -> NoReturn:
    code, message = str(error.get("code") or ""), str(error.get("message") or "no reason given")
    about = f"the batch answer is an error ({code or f'HTTP {status}'}): {message[:300]}"
    if any(sign in f"{code} {message}" for sign in ("content_filter", "content_policy")):
        raise BlockedError(about)
    raise ModelError(about)


def _count(store: ResponseStore, asked: _OpenRequest, answer: _AnswerLine) -> None:
    """Write down what a completion took, whatever it says; an error took nothing."""
    body = answer.response.get("body")
    if isinstance(body, dict) and body.get("choices"):
        used = _usage(body.get("usage"))
        write_usage(store, asked.request.model, asked.request.prompt, used, batch=True)


def _usage(used: object) -> Usage:
    if not isinstance(used, dict):
        return Usage(calls=1, without_usage=1)
    details = used.get("prompt_tokens_details")
    details = details if isinstance(details, dict) else {}
    return Usage(
        calls=1,
        prompt_tokens=_tokens(used.get("prompt_tokens")),
        completion_tokens=_tokens(used.get("completion_tokens")),
        cached_tokens=_tokens(details.get("cached_tokens")),
    )


def _tokens(count: object) -> int:
    return count if isinstance(count, int) else 0
