"""The system `http`: an endpoint that takes a question and returns JSON or plain text."""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import asdict, replace
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final
from urllib.parse import quote
from uuid import uuid4

import httpx
from pydantic import JsonValue

from uaeval.config import HISTORY, QUESTION, SESSION, EvaluationConfig, SystemSettings
from uaeval.config.settings import texts_in
from uaeval.errors import ConfigError
from uaeval.http_replies import is_transient_status, retry_after_seconds
from uaeval.llm.stop_reasons import names_content_filter
from uaeval.records import Query
from uaeval.redaction import expand, redact, without_known
from uaeval.systems import attempts, replies
from uaeval.systems.extract import Paths, answer_text, find, is_blocked, sole_answer, tool_calls
from uaeval.systems.kind import SystemKind
from uaeval.systems.system import BLOCKED, Answer

_QUOTED: Final = 200
_ERROR_BODY: Final = 4_000
_FIRST_POLL: Final = 0.2
_SLOWEST_POLL: Final = 5.0
"""Seconds between two polls, at first and at most, unless the system names a time."""


def _resolved(settings: SystemSettings) -> SystemSettings:
    """Return the settings with each `$NAME` replaced by the value of the environment variable."""
    url = settings.url and _address(settings.url, "url")
    session_url = settings.session_url and _address(settings.session_url, "session_url")
    default: JsonValue = None if settings.method == "GET" else {"question": QUESTION}
    body = _map_texts(settings.body or default, lambda text: expand(text, "body"))
    headers = {name: expand(text, f"headers ({name})") for name, text in settings.headers.items()}
    for name, value in headers.items():
        if not value.isascii() or not value.isprintable():
            raise ConfigError(f"headers ({name}): use printable ASCII characters only")
    values = {"url": url, "session_url": session_url, "body": body, "headers": headers}
    return settings.model_copy(update=values)


def _address(template: str, name: str) -> str:
    url = expand(template, name, in_url=True)
    try:
        httpx.URL(url.replace(QUESTION, "").replace(SESSION, ""))
    except httpx.InvalidURL:  # its text may hold a password
        raise ConfigError(f"{name}: give an address such as http://localhost:8000/ask") from None
    return url


def _map_texts(template: JsonValue, change: Callable[[str], JsonValue]) -> JsonValue:
    """Return `template` with every text replaced by what `change` returns for it.

    A list that replaces an element of a list is inserted there. Names of fields do not change.
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


def fill(template: JsonValue, query: Query, session: str = SESSION) -> JsonValue:
    """Return `template` with its placeholders replaced by question, earlier turns and session.

    Raises:
        MisfitFault: the query has earlier turns, and the template has no placeholder for them.
    """
    turns: list[JsonValue] = [*map(asdict, query.history)]
    if turns and all(text != HISTORY for _, text in texts_in(template, "body")):
        raise attempts.MisfitFault(
            f'the query has earlier turns; put "{HISTORY}" where `body` takes them'
        )

    def filled(text: str) -> JsonValue:
        if text == HISTORY:
            return turns
        return text.replace(SESSION, session).replace(QUESTION, query.question)

    return _map_texts(template, filled)


class HttpSystem(attempts.RetriedSystem, AbstractAsyncContextManager["HttpSystem"]):
    """Send each question to a URL; use it in an `async with` block."""

    def __init__(self, config: EvaluationConfig) -> None:
        """Create the client; without paths, the answer is `answer` in JSON, or the plain text."""
        if config.url is None:
            raise ConfigError("url: the system http needs the address that questions are sent to")
        super().__init__(config)
        self._paths = Paths.of(config)
        self._address = _without_query(config.url)
        self._session_address = _without_query(config.session_url or "")
        self._settings = _resolved(config)
        self._marks_end = False
        """Whether a stream had a known last event; a later one without it broke off."""
        pool = httpx.Limits(max_connections=config.system_concurrency or config.concurrency)
        accepted = {"accept-encoding": replies.ACCEPTED_ENCODING}
        # Each query has its own cookies; the client stores none.
        jar = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        self._client = httpx.AsyncClient(timeout=None, limits=pool, headers=accepted, cookies=jar)

    async def __aexit__(self, *raised: object) -> None:
        await self._client.aclose()

    async def send(self, query: Query) -> Answer:
        """Send one question, and read the reply or poll for it."""
        cookies = httpx.Cookies()
        session = await self._session(cookies)
        settings = self._settings
        url = (settings.url or "").replace(SESSION, quote(session, safe=""))
        headers = {name: text.replace(SESSION, session) for name, text in settings.headers.items()}
        request = self._client.build_request(
            settings.method or "POST",
            url.replace(QUESTION, quote(query.question, safe="")),
            json=fill(settings.body, query, session),
            headers=headers,
        )
        origin = (request.url.scheme, request.url.netloc)
        address: httpx.URL | None = None
        pause = _FIRST_POLL
        while True:
            reply, text, broken = await self._exchange(request, cookies, self._address)
            with _reply_in_faults(text):
                address = replies.poll_url(reply, text, settings.poll_path, address)
                if address is None or broken:
                    if reply.is_client_error and names_content_filter(text):
                        return BLOCKED
                    _check(reply, text, broken, self._address, "url, method, body")
                    value = replies.content(reply, text)
                    events = value.events if isinstance(value, replies.EventStream) else value
                    answer = replace(self._read(value), tool_calls=tool_calls(events))
                    return answer.with_texts(without_known)
            await asyncio.sleep(retry_after_seconds(reply.headers) or pause)
            pause = min(2 * pause, _SLOWEST_POLL)
            sent = headers if (address.scheme, address.netloc) == origin else {}
            request = self._client.build_request("GET", address, headers=sent)

    async def _session(self, cookies: httpx.Cookies) -> str:
        settings = self._settings
        if settings.session_url is None:
            return uuid4().hex
        request = self._client.build_request("POST", settings.session_url, headers=settings.headers)
        reply, text, broken = await self._exchange(request, cookies, self._session_address)
        with _reply_in_faults(text):
            _check(reply, text, broken, self._session_address, "session_url")
            if settings.session_path is None:
                return uuid4().hex
            ids = find(settings.session_path, replies.content(reply, text))
            if not ids or not isinstance(ids[0], str | int):
                raise attempts.MisfitFault(f"session_path {settings.session_path!r} leads to no id")
            return str(ids[0])

    async def _exchange(
        self, request: httpx.Request, cookies: httpx.Cookies, address: str
    ) -> tuple[httpx.Response, str, attempts.Fault | None]:
        cookies.set_cookie_header(request)
        try:
            reply = await self._client.send(request, stream=True)
            cookies.extract_cookies(reply)
            text, fault = await replies.receive(reply)
            return reply, without_known(text), fault
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol) as error:
            problem = f"no connection to {address} ({redact(str(error))})"
            problem += "; check the url, and that the system runs"
            kind = attempts.PassingFault if self.answered else attempts.MisfitFault
            raise kind(problem, raw=None) from None
        except httpx.TransportError as error:
            problem = redact(str(error)) or type(error).__name__
            raise attempts.PassingFault(f"the connection broke off: {problem}") from None

    def _read(self, value: object) -> Answer:
        if isinstance(value, replies.EventStream):
            self._marks_end |= value.ended
            return replies.read_stream(value, self._paths, marks_end=self._marks_end)
        if error := replies.reported_error(value):
            if is_blocked(value) or names_content_filter(error):
                return BLOCKED
            raise attempts.PassingFault(f"the reply reports an error: {error[:_QUOTED]}")
        if self._paths is None and not isinstance(value, dict):
            return Answer(text=answer_text(value))
        if is_blocked(value):
            return BLOCKED
        return (self._paths or sole_answer(value)).read(value)


def _check(
    reply: httpx.Response, text: str, broken: attempts.Fault | None, address: str, settings: str
) -> None:
    """Raise a `Fault` for the status of a reply, or if the reply is incomplete."""
    if reply.is_success:
        if broken:
            raise broken
        return
    quoted = f" ({' '.join(text.split())[:_QUOTED]})" if text.strip() else ""
    problem = f"HTTP {reply.status_code}{quoted} from {address}"
    if is_transient_status(reply.status_code):
        raise attempts.PassingFault(problem, wait=retry_after_seconds(reply.headers))
    raise attempts.MisfitFault(f"{problem}; check {settings} and headers")


def _without_query(address: str) -> str:
    """Return an address for messages, without the query, which may contain secrets."""
    return re.sub(r"[?#].*", "", address)


@contextmanager
def _reply_in_faults(text: str) -> Iterator[None]:
    """Attach the beginning of a reply to the faults that are raised in the block."""
    try:
        yield
    except attempts.Fault as fault:
        fault.args = (redact(str(fault)),)
        fault.raw = redact(text[:_ERROR_BODY])
        raise


KIND = SystemKind(
    name="http",
    settings=frozenset(SystemSettings.model_fields) - {"system_concurrency"},
    open=lambda config, _argument, _queries: HttpSystem(config),
)
