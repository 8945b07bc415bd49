"""Read an HTTP reply: JSON, text, a whole stream, or the address of a later answer (202)."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

import httpx

from uaeval.errors import FetchError
from uaeval.http_replies import LARGEST_REPLY, body_parts
from uaeval.llm.stop_reasons import names_content_filter
from uaeval.records import Context
from uaeval.resources import shipped_table
from uaeval.systems.attempts import Fault, MisfitFault, PassingFault
from uaeval.systems.extract import Paths, answer_text, contexts, find, is_blocked
from uaeval.systems.system import BLOCKED, Answer

ACCEPTED_ENCODING: Final = "gzip"
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
_SSE: Final = re.compile(r"\s*+((event|id|retry)?:[^\n]*\n\s*+)*+data:")
_DONE: Final = "[DONE]"
_SHOWN: Final = 200
_KNOWN: Final = shipped_table("systems/replies.yaml")
_STATES: Final[Mapping[str, Sequence[str]]] = _KNOWN["states"]
_ERROR_FIELDS: Final = frozenset({"error", "status", "state", "message", "detail", "code", "type"})
_EVENTS: Final[Mapping[str, Sequence[str]]] = _KNOWN["events"]
_PIECES: Final[Mapping[str, Sequence[str]]] = _KNOWN["pieces"]


async def receive(reply: httpx.Response) -> tuple[str, Fault | None]:
    """Return the decompressed and decoded body of a reply, and a fault if it is incomplete."""
    body, fault = bytearray(), None
    try:
        async for part in body_parts(reply, LARGEST_REPLY):
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
    beginning = f"(it begins {text[:_SHOWN]!r})"
    if stream := event_stream(reply, kind, text):
        return stream
    if "html" in kind or _PAGE.match(text):
        raise MisfitFault(f"the reply is a web page {beginning}; check the url")
    if _JSON_TYPE.fullmatch(kind) or (kind in {"text/plain", ""} and _JSON_TEXT.match(text)):
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            reason = str(error)[:_SHOWN]
            raise PassingFault(f"the reply is not valid JSON {beginning}: {reason}") from None
    if kind != "text/plain":
        named = f"content type {kind}" if kind else "no content type"
        raise MisfitFault(f"the reply has {named} {beginning}; send JSON or text/plain")
    if _PROXY_ERROR.match(text.strip()[:_LONGEST_ERROR]):
        raise PassingFault(f"the reply is the error message of a proxy {beginning}")
    if _STACK_TRACE.match(text):
        raise PassingFault(f"the reply is a stack trace {beginning}")
    return text


def reported_error(value: object) -> str | None:
    """Return what an object says of an error, whatever text it has beside that; `None` if nothing.

    An error may come with HTTP 200 and an apology in the place of the answer.
    """
    if not isinstance(value, Mapping):
        return None
    denied = [name for name in _STATES["succeeded"] if value.get(name) is False]
    if not (denied or _is_error(value.get("error")) or _state(value) in _STATES["faulty"]):
        return None
    shown = _ERROR_FIELDS.union(denied)
    said = {name: value[name] for name in value if name in shown}
    return json.dumps(said, ensure_ascii=False, default=str)


def _is_error(value: object) -> bool:
    """Return whether the value of a field `error` says more than that there is none."""
    if isinstance(value, Mapping):
        return any(_is_error(value.get(name)) for name in _ERROR_FIELDS)
    if isinstance(value, bool | list):
        return bool(value)
    if isinstance(value, int | float):
        return value >= HTTPStatus.BAD_REQUEST
    return str(value).strip().casefold() not in _STATES["faultless"]


def _state(value: Mapping[str, object]) -> str:
    return str(value.get("status") or value.get("state")).casefold().replace("-", "_")


def poll_url(
    reply: httpx.Response, text: str, path: str | None, polled: httpx.URL | None
) -> httpx.URL | None:
    """Return the address to poll next; `None` if the reply has the answer or an error.

    `polled` is the address that this reply came from, if it is not the first reply. Raises
    `MisfitFault` if the first reply does not say where the answer will be, and `PassingFault` if
    the system reports that its work failed.
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
    if reply.status_code in {302, 303} and location:
        return polled.join(location)
    if reply.status_code == HTTPStatus.ACCEPTED:
        return polled
    value = content(reply, text) if reply.is_success else None
    status = _state(value) if isinstance(value, Mapping) else None
    if status in _STATES["failed"]:
        raise PassingFault(f"the system reports that its work ended as {status!r}")
    return polled if status in _STATES["unfinished"] else None


@dataclass(frozen=True, slots=True)
class EventStream:
    """The events of a reply: JSON values, and the text of data that is not JSON."""

    events: Sequence[object]
    error: object
    """The error that the server reported; `None` if it reported none."""
    delimited: bool
    """Whether HTTP guarantees a complete body, by a content length or a last chunk."""

    @property
    def ended(self) -> bool:
        """Whether an event is known to be the last, such as `[DONE]`."""
        return any(map(_ends, self.events))


def event_stream(reply: httpx.Response, content_type: str, text: str) -> EventStream | None:
    """Return the events of a stream, `None` for another body; raise `PassingFault` for damage."""
    sse = content_type == "text/event-stream" or bool(_SSE.match(text))
    if not sse and content_type not in _KNOWN["ndjson"]:
        return None
    rows = _sse_events(text) if sse else (("", line) for line in text.splitlines() if line.strip())
    events, error = list[object](), None
    for name, data in rows:
        value = data if data.strip() == _DONE else _value(data, json_only=not sse)
        if name == "error" or (
            isinstance(value, Mapping)
            and (value.get("error") or value.get("type") in _EVENTS["error"])
        ):
            error = value
        events.append(value)
    headers = reply.headers
    delimited = "content-length" in headers or "chunked" in headers.get("transfer-encoding", "")
    return EventStream(events, error, delimited or reply.http_version == "HTTP/2")


def _sse_events(text: str) -> Iterator[tuple[str, str]]:
    """Yield name and data of each event (WHATWG's event stream format)."""
    name, data = "", list[str]()
    for line in (*re.split(r"\r\n|\n|\r", text), ""):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line and data:
            yield name, "\n".join(data)
        if not line:
            name, data = "", []
        elif field == "event":
            name = value
        elif field == "data":
            data.append(value)


def _value(data: str, *, json_only: bool) -> object:
    if not json_only and data.lstrip()[:1] not in {"{", "[", '"'}:
        return data
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        shown = data[:_SHOWN]
        raise PassingFault(f"the stream broke off, or is damaged, at {shown!r}") from None


def read_stream(stream: EventStream, paths: Paths | None, *, marks_end: bool = False) -> Answer:
    """Return the answer in a stream; raise a `Fault` if it is incomplete or has no answer.

    `marks_end` says that other streams of the system had a known last event, so this one should.

    A path that begins with `[` or `$[` is applied to the list of all events, any other path to each
    event; the texts at the answer's path are joined. If nothing matches, the answer is read from
    the events of OpenAI, Anthropic and Ollama.
    """
    if stream.error is not None:
        reported = json.dumps(stream.error, ensure_ascii=False)
        if names_content_filter(reported):
            return BLOCKED
        raise PassingFault(f"the stream ended with an error: {reported[:_SHOWN]}")
    known = any(map(_shape, stream.events))
    if not stream.ended and (known or marks_end or not stream.delimited):
        raise PassingFault("the stream broke off: its last event is missing")
    if any(map(is_blocked, stream.events)):
        return BLOCKED
    pieces = _values_at(paths.answer, stream) if paths else []
    if not pieces and known:
        pieces = [piece for event in stream.events for piece in _pieces(event)]
    elif not pieces:
        first = json.dumps(stream.events[:1], ensure_ascii=False)[1:-1]
        given = f"{paths.answer!r} leads nowhere" if paths else "give its path"
        raise MisfitFault(
            f"the reply is an event stream of {len(stream.events)} events; --answer-path: {given} "
            f"(the first event is {first[:_SHOWN]})"
        )
    return Answer(text="".join(map(answer_text, pieces)), contexts=_contexts(paths, stream))


def _shape(event: object) -> str:
    """Return the provider whose events have this form; empty if it is unknown."""
    if not isinstance(event, Mapping):
        return ""
    kind = str(event.get("type"))
    if isinstance(event.get("choices"), list):
        return "openai"
    if kind.startswith("response."):
        return "responses"
    if kind.startswith(("message_", "content_block_")):
        return "anthropic"
    return "ollama" if isinstance(event.get("done"), bool) else ""


def _pieces(event: object) -> list[object]:
    shape = _shape(event)
    if shape == "responses" and isinstance(event, Mapping) and event["type"] not in _EVENTS["text"]:
        return []
    return [piece for path in _PIECES.get(shape, ()) for piece in find(path, event)]


def _ends(event: object) -> bool:
    if not isinstance(event, Mapping):
        return isinstance(event, str) and event.strip() == _DONE
    finished = event.get("type") in _EVENTS["last"] or event.get("done") is True
    return finished or (_shape(event) == "openai" and any(find("choices[*].finish_reason", event)))


def _values_at(path: str, stream: EventStream) -> list[object]:
    """Return the values at `path`; `$` is the text of an event that is not JSON."""
    events = [event for event in stream.events if event != _DONE]
    if path.removeprefix("$").startswith("["):
        return find(path, events)
    return events if path == "$" else [value for event in events for value in find(path, event)]


def _contexts(paths: Paths | None, stream: EventStream) -> tuple[Context, ...]:
    if paths is None or paths.contexts is None:
        return ()
    if not (values := _values_at(paths.contexts, stream)):
        raise MisfitFault(f"contexts_path {paths.contexts!r} leads nowhere in the stream's events")
    lists = [value if isinstance(value, list) else [value] for value in values]
    return contexts([passage for passages in lists for passage in passages])
