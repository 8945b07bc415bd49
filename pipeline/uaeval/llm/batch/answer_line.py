"""One line of a batch's answer file: which request it answers, and what it says."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from uaeval.errors import BlockedError, ModelError, RefusedError, StorageError
from uaeval.llm.stop_reasons import is_cut_off, is_filtered, stop_reasons

_ID: Final = re.compile(r"(?P<run>[0-9a-f]{12})-(?P<key>[0-9a-f]{32})-(?P<round>\d{1,6})")
_FILTERED: Final = ("content_filter", "content_policy")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLine:
    """One line of an answer file."""

    key_start: str
    round: int
    status: object
    body: dict[str, Any]
    error: dict[str, Any]


def read_line(line: bytes, run_id: str, place: str) -> AnswerLine | None:
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
    return AnswerLine(
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


def reply_text(answer: AnswerLine) -> tuple[str, bool]:
    """Return the model's text and whether it was cut off; raise `RecordError` for an error."""
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
        reasons = stop_reasons(choice)
    except (LookupError, TypeError, AttributeError) as error:
        raise ModelError("the batch answer holds no message") from error
    if is_filtered(reasons):
        raise BlockedError("the provider's content filter stopped the batch answer")
    if refusal:
        raise RefusedError(str(refusal))
    return content if isinstance(content, str) else "", is_cut_off(reasons)
