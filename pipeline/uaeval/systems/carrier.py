"""Read an HTTP reply: its JSON, its plain text, or the address of a later answer (HTTP 202)."""

import json
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import httpx

from uaeval.errors import FetchError
from uaeval.http_replies import body_parts
from uaeval.systems.attempts import Fault, MisfitFault, PassingFault
from uaeval.systems.extract import find
from uaeval.systems.streams import event_stream

LARGEST: Final = 16_000_000
"""Most bytes of a reply, compressed or not."""
ACCEPTED_ENCODING: Final = "gzip"
_BEGINNING: Final = 200
_LONGEST_ERROR: Final = 500
_JSON_TYPE: Final = re.compile(r"(application|text)/([\w.-]+\+)?json")
_JSON_TEXT: Final = re.compile(r'\s*(\{\s*["}]|\[\s*["\[{])')
_PAGE: Final = re.compile(r"\s*<(!doctype|html|head|body|title|\?xml|!--)", re.IGNORECASE)
_PHRASES: Final = {status: re.escape(status.phrase) for status in HTTPStatus if status >= 400}
_SERVER_ERRORS: Final = "|".join(
    [_PHRASES[status] for status in _PHRASES if status >= 500 or status == 429]
    + ["Gateway Time-out", "Service Temporarily Unavailable"]
)
_ANY_ERROR: Final = "|".join([*_PHRASES.values(), _SERVER_ERRORS, "page not found"])
_PROXY_ERROR: Final = re.compile(
    rf"(({_SERVER_ERRORS}|(HTTP/[\d.]+ )?[45]\d\d\W+({_ANY_ERROR})"
    r"|error code: \d+|default backend - \d+"
    r"|no healthy upstream|stream timeout|RBAC: access denied)\W*$"
    r"|upstream (connect error|request timeout)|[^\n]{0,100}disconnect/reset before headers)",
    re.IGNORECASE,
)
_STACK_TRACE: Final = re.compile(
    r"\s*(Traceback \(most recent call last\):"
    r"|(Exception in thread [^\n]*|Unhandled exception[^\n]*|[\w.$]+(Exception|Error)\b[^\n]*)"
    r"\n\s+at \S|panic: [^\n]*\s+goroutine \d+ \[)"
)
_MOVED: Final = {HTTPStatus.FOUND, HTTPStatus.SEE_OTHER}
_UNFINISHED: Final = frozenset(
    "accepted created in_progress pending processing queued running scheduled started submitted "
    "waiting".split()
)
_FAILED: Final = frozenset("aborted canceled cancelled error expired failed failure".split())


async def receive(reply: httpx.Response) -> tuple[str, Fault | None]:
    """Return the decompressed and decoded body of a reply, and a fault if it is incomplete."""
    body, fault = bytearray(), None
    try:
        async for part in body_parts(reply, LARGEST):
            body += part
    except FetchError as error:
        fault = (MisfitFault if error.kind == "size" else PassingFault)(str(error))
        body = body or bytearray(error.packed)
    except httpx.TransportError as error:
        if not body:
            raise
        fault = PassingFault(f"the connection broke off: {str(error) or type(error).__name__}")
    finally:
        await reply.aclose()
    charset = reply.charset_encoding or "utf-8"
    try:
        return body.decode(charset, errors="replace").removeprefix("\ufeff"), fault
    except (LookupError, UnicodeError):
        unknown = Fault(f"charset {charset!r} cannot be decoded; send UTF-8")
        return body.decode(errors="replace"), fault or unknown


def content(reply: httpx.Response, text: str) -> object:
    """Return the content of a successful reply: its JSON, its plain text, or an `EventStream`.

    Raises:
        MisfitFault: the content is something else, such as a web page.
        PassingFault: the JSON or an event is damaged, or the text is a proxy's error message or a
            stack trace.
    """
    kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    beginning = f"(it begins {text[:_BEGINNING]!r})"
    if stream := event_stream(reply, kind, text):
        return stream
    if "html" in kind or _PAGE.match(text):
        raise MisfitFault(f"the reply is a web page {beginning}; check the url")
    if _JSON_TYPE.fullmatch(kind) or (kind in {"text/plain", ""} and _JSON_TEXT.match(text)):
        return _parsed(text, beginning)
    if kind != "text/plain":
        named = f"content type {kind}" if kind else "no content type"
        raise MisfitFault(f"the reply has {named} {beginning}; send JSON or text/plain")
    if _PROXY_ERROR.match(text.strip()[:_LONGEST_ERROR]):
        raise PassingFault(f"the reply is the error message of a proxy {beginning}")
    if _STACK_TRACE.match(text):
        raise PassingFault(f"the reply is a stack trace {beginning}")
    return text


def _parsed(text: str, beginning: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = str(error)[:_BEGINNING]
        raise PassingFault(f"the reply is not valid JSON {beginning}: {reason}") from None
    return value


def poll_url(
    reply: httpx.Response, text: str, path: str | None, polled: httpx.URL | None
) -> httpx.URL | None:
    """Return the address to poll next; `None` if the reply has the answer or an error.

    `polled` is the address that this reply came from, if it is not the first reply.

    Raises:
        MisfitFault: the first reply does not say where the answer will be.
        PassingFault: the system reports that its work failed.
    """
    location = reply.headers.get("location")
    if polled is None:
        if reply.status_code != HTTPStatus.ACCEPTED:
            return None
        values = find(path, content(reply, text)) if path else [location]
        if not values or not isinstance(values[0], str):
            hint = f"--poll-path {path!r} leads nowhere in it" if path else "give --poll-path"
            raise MisfitFault(f"HTTP 202: the reply does not say where the answer will be; {hint}")
        return reply.request.url.join(values[0])
    if reply.status_code in _MOVED and location:
        return polled.join(location)
    if reply.status_code == HTTPStatus.ACCEPTED:
        return polled
    return polled if reply.is_success and _is_unfinished(content(reply, text)) else None


def _is_unfinished(value: object) -> bool:
    """Return whether `status` or `state` of a JSON reply says that the work is unfinished."""
    if not isinstance(value, Mapping):
        return False
    status = str(value.get("status") or value.get("state")).casefold().replace("-", "_")
    if status in _FAILED:
        raise PassingFault(f"the system reports that its work ended as {status!r}")
    return status in _UNFINISHED
