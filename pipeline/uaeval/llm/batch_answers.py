"""Taking in the answers to a batch: in any order, whole or in part, once or several times."""

import json
import re
from dataclasses import dataclass, field, replace
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
from uaeval.llm.ledger import write_usage
from uaeval.llm.parameters import Usage
from uaeval.llm.reading import read_reply, reply_type_named
from uaeval.llm.store import Request, ResponseStore

_ID: Final = re.compile(r"(?P<run>[0-9a-f]{12})-(?P<key>[0-9a-f]{32})-(?P<round>\d{1,6})")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCounts:
    """What became of the lines of one answer file."""

    imported: int = 0
    failed: int = 0
    """Errors, and replies that could not be read (those are asked for once more)."""
    unknown: int = 0
    """Ids of this run that were never asked."""
    already: int = 0
    """Answers that were there before."""
    unreadable: tuple[int, ...] = ()
    """Numbers of the lines that are no answers at all."""
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A request of this run, as it stands when its answer comes."""

    request: Request
    answered: bool
    round: int
    repairing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """One line of an answer file."""

    key_start: str
    round: int
    response: dict[str, object]
    error: dict[str, object]


def import_answers(file: Path, store: ResponseStore) -> ImportCounts:
    """Take in an answer or error file of the Batch API; in any order, whole or in part.

    Raises:
        StorageError: the file cannot be read, belongs to another run, or is the request file.
            Nothing of it was taken in.
    """
    counts = ImportCounts()
    try:
        with store.transaction(), file.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    counts = _take_line(store, file, number, line, counts)
    except OSError as error:
        raise StorageError(f"{file} cannot be read: {error.strerror}") from error
    return counts


def _take_line(
    store: ResponseStore, file: Path, number: int, line: bytes, counts: ImportCounts
) -> ImportCounts:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("custom_id"), str):
        return replace(counts, unreadable=(*counts.unreadable, number))
    answer = _answer(found, store.run_id, f"{file}, line {number}")
    if answer is None:
        return replace(counts, unreadable=(*counts.unreadable, number))
    asked = _asked(store, answer.key_start)
    if asked is None:
        return replace(counts, unknown=counts.unknown + 1)
    return _settle(store, asked, answer, counts)


def _answer(line: dict[str, object], run_id: str, place: str) -> _Answer | None:
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
    return _Answer(
        key_start=name["key"],
        round=int(name["round"]),
        response=response if isinstance(response, dict) else {},
        error=error if isinstance(error, dict) else {"message": error} if error else {},
    )


def _asked(store: ResponseStore, key_start: str) -> _Asked | None:
    rows = store.execute(
        "SELECT key, model, prompt, reply_type, round, raw, "
        "key IN (SELECT key FROM replies) FROM requests WHERE key BETWEEN ? AND ?",
        key_start,
        f"{key_start}~",
    )
    if not rows:
        return None
    key, model, prompt, reply_type, number, raw, answered = rows[0]
    request = Request(
        key=str(key),
        model=str(model),
        prompt=str(prompt),
        reply_type=reply_type_named(str(reply_type)),
        system="",
        user="",
    )
    return _Asked(
        request=request,
        answered=bool(answered),
        round=int(number or 0),
        repairing=raw is not None,
    )


def _settle(
    store: ResponseStore, asked: _Asked, answer: _Answer, counts: ImportCounts
) -> ImportCounts:
    """Keep the reply, or what is wrong with the answer unless a later round was opened since."""
    if asked.answered:
        return replace(counts, already=counts.already + 1)
    text = ""
    try:
        text = _text(answer)
        reply = read_reply(text, asked.request.reply_type)
    except RecordError as error:
        if answer.round != asked.round:
            return replace(counts, already=counts.already + 1)
        _keep_failure(store, asked, text, error)
        return replace(
            counts, failed=counts.failed + 1, usage=counts.usage + _counted(store, asked, answer)
        )
    store.put(asked.request, reply)
    return replace(
        counts, imported=counts.imported + 1, usage=counts.usage + _counted(store, asked, answer)
    )


def _keep_failure(store: ResponseStore, asked: _Asked, text: str, error: RecordError) -> None:
    repairable = isinstance(error, ReplyError) and not asked.repairing
    store.execute(
        "UPDATE requests SET state = ?, round = round + 1, raw = ?, kind = ?, problem = ? "
        "WHERE key = ?",
        "pending" if repairable else "failed",
        text if isinstance(error, ReplyError) else None,
        type(error).__name__,
        error.text if isinstance(error, RefusedError) else str(error),
        asked.request.key,
    )


def _text(answer: _Answer) -> str:
    """Return what the model said; raise what kept it from saying it."""
    body = answer.response.get("body")
    body = body if isinstance(body, dict) else {}
    status = answer.response.get("status_code")
    if answer.error or status != 200:
        _raise_error(answer.error or body.get("error") or {}, status)
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
    return content if isinstance(content, str) else ""


def _raise_error(error: object, status: object) -> NoReturn:
    said = error if isinstance(error, dict) else {"message": error}
    code, message = str(said.get("code") or ""), str(said.get("message") or "no reason given")
    about = f"the batch answer is an error ({code or f'HTTP {status}'}): {message[:300]}"
    if any(sign in f"{code} {message}" for sign in ("content_filter", "content_policy")):
        raise BlockedError(about)
    raise ModelError(about)


def _counted(store: ResponseStore, asked: _Asked, answer: _Answer) -> Usage:
    """Write down what an answer was billed for; one that is an error was not."""
    if answer.response.get("status_code") != 200:
        return Usage()
    used = _usage(answer)
    write_usage(store, asked.request.model, asked.request.prompt, used, batch=True)
    return used


def _usage(answer: _Answer) -> Usage:
    body = answer.response.get("body")
    used = body.get("usage") if isinstance(body, dict) else None
    if not isinstance(used, dict):
        return Usage(calls=1, without_usage=1)
    details = used.get("prompt_tokens_details")
    return Usage(
        calls=1,
        prompt_tokens=_tokens(used.get("prompt_tokens")),
        completion_tokens=_tokens(used.get("completion_tokens")),
        cached_tokens=_tokens(details.get("cached_tokens")) if isinstance(details, dict) else 0,
    )


def _tokens(count: object) -> int:
    return count if isinstance(count, int) else 0
