"""The system `http`: an endpoint that takes a question and returns JSON or plain text."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from http import HTTPStatus
from typing import Final, Self
from urllib.parse import quote

import httpx
from pydantic import JsonValue

from uaeval.config import HISTORY, QUESTION, EvaluationConfig
from uaeval.config.settings import texts_in
from uaeval.errors import ConfigError
from uaeval.http_replies import wait_asked
from uaeval.llm.stop_reasons import names_content_filter
from uaeval.records import Context, Query, ResponseStatus
from uaeval.redaction import expand, redact, without_known
from uaeval.systems.attempts import (
    AttemptRunner,
    Fault,
    Limits,
    MisfitFault,
    NoConnectionFault,
    PassingFault,
)
from uaeval.systems.carrier import ACCEPTED_ENCODING, content, poll_url, receive
from uaeval.systems.extract import Paths, answer_text, is_blocked, sole_answer
from uaeval.systems.kind import SystemKind
from uaeval.systems.streams import EventStream, read_stream
from uaeval.systems.system import Answer

_PASSING: Final = {
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.TOO_EARLY,
    HTTPStatus.TOO_MANY_REQUESTS,
}
_BEGINNING: Final = 200
_ERROR_BODY: Final = 4_000
_FIRST_POLL: Final = 0.2
_SLOWEST_POLL: Final = 5.0
"""Seconds between two polls, unless the system asks for more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is sent for each query."""

    url: str
    method: str = "POST"
    body: JsonValue = None
    """`None` sends no body."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """In all three `$NAME` stands for a variable of the environment."""
    poll_path: str | None = None
    """JSON path, in a reply with HTTP 202, to the address of the answer; `None`: `Location`."""

    def resolved(self) -> Self:
        """Return the request with the values of the environment.

        Raises:
            ConfigError: a variable is not set, or its value cannot stand in the address or header.
        """
        url = expand(self.url, "url", in_url=True)
        try:
            httpx.URL(url.replace(QUESTION, ""))
        except httpx.InvalidURL:  # its text may hold a password
            raise ConfigError("url: give an address such as http://localhost:8000/ask") from None
        body = _map_texts(self.body, lambda text: expand(text, "body"))
        headers = {name: expand(text, f"header {name}") for name, text in self.headers.items()}
        for name, value in headers.items():
            if not value.isascii() or not value.isprintable():
                raise ConfigError(f"header {name}: its value may hold plain ASCII signs only")
        return replace(self, url=url, body=body, headers=headers)


def _map_texts(template: JsonValue, change: Callable[[str], JsonValue]) -> JsonValue:
    """Return `template` with each text, but for names of fields, replaced by `change`.

    A list that replaces an element of a list is joined to it.
    """
    if isinstance(template, str):
        return change(template)
    if isinstance(template, dict):
        return {name: _map_texts(value, change) for name, value in template.items()}
    if not isinstance(template, list):
        return template
    parts: list[JsonValue] = []
    for value in template:
        part = _map_texts(value, change)
        parts += part if isinstance(value, str) and isinstance(part, list) else [part]
    return parts


def fill(template: JsonValue, query: Query) -> JsonValue:
    """Return `template` with the question for `{question}`, and its earlier turns for `{history}`.

    Raises:
        MisfitFault: the query has earlier turns, and the template no place for them.
    """
    turns: list[JsonValue] = [*map(asdict, query.history)]
    if turns and all(text != HISTORY for _, text in texts_in(template, "body")):
        raise MisfitFault(f'the query has earlier turns; put "{HISTORY}" where `body` takes them')

    def filled(text: str) -> JsonValue:
        return turns if text == HISTORY else text.replace(QUESTION, query.question)

    return _map_texts(template, filled)


class HttpSystem:
    """Sends each question to a URL; use it in an `async with`."""

    def __init__(
        self,
        request: Request,
        limits: Limits,
        *,
        paths: Paths | None = None,
        name: str = "http",
    ) -> None:
        """Make a client; without `paths` the answer is `answer` in JSON, or the plain text."""
        self.name = name
        self._paths = paths
        self._shown = request.url
        self._request = request.resolved()
        self._attempts = AttemptRunner(name, limits)
        pool = httpx.Limits(max_connections=limits.concurrency)
        accepted = {"accept-encoding": ACCEPTED_ENCODING}
        self._client = httpx.AsyncClient(timeout=None, limits=pool, headers=accepted)

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._client.aclose()

    async def answer(self, query: Query) -> Answer:
        """Send one question."""
        return await self._attempts.make(lambda: self._send(query))

    async def _send(self, query: Query) -> Answer:
        request = self._client.build_request(
            self._request.method,
            self._request.url.replace(QUESTION, quote(query.question, safe="")),
            json=fill(self._request.body, query),
            headers=self._request.headers,
        )
        origin = (request.url.scheme, request.url.netloc)
        address: httpx.URL | None = None
        pause = _FIRST_POLL
        while True:
            reply, text, broken = await self._exchange(request)
            try:
                address = poll_url(reply, text, self._request.poll_path, address)
                if address is None or broken:
                    if not reply.is_success:
                        return self._blocked_or_fault(reply, text)
                    if broken:
                        raise broken
                    return _cleaned(self._read(content(reply, text)))
            except Fault as fault:
                fault.args = (redact(str(fault)),)
                fault.raw = redact(text[:_ERROR_BODY])
                raise
            await asyncio.sleep(wait_asked(reply.headers) or pause)
            pause = min(2 * pause, _SLOWEST_POLL)
            own = (address.scheme, address.netloc) == origin
            headers = self._request.headers if own else {}
            request = self._client.build_request("GET", address, headers=headers)

    async def _exchange(self, request: httpx.Request) -> tuple[httpx.Response, str, Fault | None]:
        try:
            reply = await self._client.send(request, stream=True)
            text, fault = await receive(reply)
            return reply, without_known(text), fault  # before it is cut, secrets are recognized
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol) as error:
            raise NoConnectionFault(
                f"no connection to {self._place} ({redact(str(error))}); "
                "check the url, and that the system runs"
            ) from None
        except httpx.TransportError as error:
            problem = redact(str(error)) or type(error).__name__
            raise PassingFault(f"the connection broke off: {problem}") from None

    def _read(self, value: object) -> Answer:
        if isinstance(value, EventStream):
            return read_stream(value, self._paths)
        if self._paths is not None or isinstance(value, dict):
            return self.read_json(value)
        return Answer(text=answer_text(value))

    def read_json(self, value: object) -> Answer:
        """Return the answer in a JSON reply; `Fault` if it is cut off."""
        if is_blocked(value):
            return Answer(text="", status=ResponseStatus.BLOCKED)
        return (self._paths or sole_answer(value)).read(value)

    def _blocked_or_fault(self, reply: httpx.Response, text: str) -> Answer:
        if reply.is_client_error and names_content_filter(text):
            return Answer(text="", status=ResponseStatus.BLOCKED)
        problem = f"HTTP {reply.status_code}"
        if text.strip():
            problem += f" ({' '.join(text.split())[:_BEGINNING]})"
        problem += f" from {self._place}"
        if reply.status_code in _PASSING or reply.is_server_error:
            raise PassingFault(problem, wait=wait_asked(reply.headers))
        raise MisfitFault(f"{problem}; check url, method, body and headers")

    @property
    def _place(self) -> str:
        return re.sub(r"[?#].*", "", self._shown)


def _cleaned(answer: Answer) -> Answer:
    clean = without_known
    contexts = tuple(
        Context(id=c.id and clean(c.id), text=clean(c.text), heading=clean(c.heading))
        for c in answer.contexts
    )
    return replace(answer, text=clean(answer.text), contexts=contexts)


def _open(config: EvaluationConfig, _argument: str, _queries: Sequence[Query]) -> HttpSystem:
    if config.url is None:
        raise ConfigError("url: the system http needs the address to ask")
    method, body = config.method or "POST", config.body
    if body is None and method != "GET":
        body = {"question": QUESTION}
    request = Request(
        url=config.url,
        method=method,
        body=body,
        headers=config.headers,
        poll_path=config.poll_path,
    )
    return HttpSystem(request, Limits.of(config), paths=Paths.of(config))


KIND = SystemKind(
    name="http",
    settings=frozenset(
        {"url", "method", "body", "headers", "answer_path", "contexts_path", "poll_path"}
    ),
    open=_open,
)
