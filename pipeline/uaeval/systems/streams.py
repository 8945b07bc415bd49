"""Read a streamed reply: server-sent events or lines of JSON, which must be complete."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import httpx

from uaeval.llm.stop_reasons import names_content_filter
from uaeval.records import Context, ResponseStatus
from uaeval.systems.attempts import MisfitFault, PassingFault
from uaeval.systems.extract import Paths, answer_text, contexts, find, is_blocked
from uaeval.systems.system import Answer

_NDJSON_TYPES: Final = frozenset(
    {"application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"}
)
_SSE: Final = re.compile(r"\s*+((event|id|retry)?:[^\n]*\n\s*+)*+data:")
_DONE: Final = "[DONE]"
_SHOWN: Final = 200
_PIECES: Final = {
    "openai": ("choices[0].delta.content", "choices[0].delta.refusal", "choices[0].text"),
    "anthropic": ("delta.text",),
    "responses": ("delta",),
    "ollama": ("message.content", "response"),
}
"""Paths to the answer's pieces in the events of known providers."""
_TEXT_EVENTS: Final = frozenset({"response.output_text.delta", "response.refusal.delta"})
_FAILED: Final = frozenset({"error", "response.failed", "response.incomplete"})
_LAST: Final = frozenset({"message_stop", "response.completed"})


@dataclass(frozen=True, slots=True)
class EventStream:
    """The events of a reply: JSON values, and the text of data that is not JSON."""

    events: Sequence[object]
    error: object
    """The error that the server reported; `None` if it reported none."""
    delimited: bool
    """Whether HTTP guarantees a complete body, by a content length or a last chunk."""


def event_stream(reply: httpx.Response, content_type: str, text: str) -> EventStream | None:
    """Return the events of a body; `None` if it is not a stream. Raise `PassingFault` for damage.

    Server-sent events are recognised in plain text too.
    """
    sse = content_type == "text/event-stream" or bool(_SSE.match(text))
    if not sse and content_type not in _NDJSON_TYPES:
        return None
    rows = _sse_events(text) if sse else (("", line) for line in text.splitlines() if line.strip())
    events, error = list[object](), None
    for name, data in rows:
        value = data if data.strip() == _DONE else _value(data, json_only=not sse)
        if name == "error" or (
            isinstance(value, Mapping) and (value.get("error") or value.get("type") in _FAILED)
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
        value: object = json.loads(data)
    except (ValueError, RecursionError):
        shown = data[:_SHOWN]
        raise PassingFault(f"the stream broke off, or is damaged, at {shown!r}") from None
    return value


def read_stream(stream: EventStream, paths: Paths | None) -> Answer:
    """Return the answer in a stream.

    A path that begins with `[` or `$[` is applied to the list of all events, any other path to each
    event; the texts at the answer's path are joined. If nothing matches, the answer is read from
    the events of OpenAI, Anthropic and Ollama.

    Raises:
        PassingFault: the stream broke off before its end, or the server reported an error.
        MisfitFault: no path leads to an answer.
    """
    if stream.error is not None:
        reported = json.dumps(stream.error, ensure_ascii=False)
        if names_content_filter(reported):
            return Answer(text="", status=ResponseStatus.BLOCKED)
        raise PassingFault(f"the stream ended with an error: {reported[:_SHOWN]}")
    known = any(map(_shape, stream.events))
    if not any(map(_ends, stream.events)) and (known or not stream.delimited):
        raise PassingFault("the stream broke off: its last event is missing")
    if any(map(is_blocked, stream.events)):
        return Answer(text="", status=ResponseStatus.BLOCKED)
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
    text = "".join(map(answer_text, pieces))
    return Answer(text=text, contexts=_contexts(paths, stream))


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
    if shape == "responses" and isinstance(event, Mapping) and event["type"] not in _TEXT_EVENTS:
        return []
    return [piece for path in _PIECES.get(shape, ()) for piece in find(path, event)]


def _ends(event: object) -> bool:
    if not isinstance(event, Mapping):
        return isinstance(event, str) and event.strip() == _DONE
    finished = event.get("type") in _LAST or event.get("done") is True
    return finished or (_shape(event) == "openai" and any(find("choices[*].finish_reason", event)))


def _values_at(path: str, stream: EventStream) -> list[object]:
    """Return the values at `path`; `$` is the text of an event that is not JSON."""
    events = [event for event in stream.events if event != _DONE]
    if path.removeprefix("$").startswith("["):
        return find(path, events)
    if path == "$":
        return events
    return [value for event in events for value in find(path, event)]


def _contexts(paths: Paths | None, stream: EventStream) -> tuple[Context, ...]:
    if paths is None or paths.contexts is None:
        return ()
    values = _values_at(paths.contexts, stream)
    if not values:
        raise MisfitFault(f"contexts_path {paths.contexts!r} leads nowhere in the stream's events")
    lists = [value if isinstance(value, list) else [value] for value in values]
    return contexts([passage for passages in lists for passage in passages])
