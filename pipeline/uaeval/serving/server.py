"""A server for this machine alone: its files, who may ask it, and until when."""

import hmac
import secrets
import socket
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import uvicorn
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from uaeval.errors import ConfigError

_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


def file_route(address: str, path: Path) -> Route:
    """Return the route that serves the file at `path`, as it is now."""
    body, media_type = path.read_bytes(), _TYPES[path.suffix]

    async def serve(_: Request) -> Response:
        return Response(body, media_type=media_type)

    return Route(address, serve)


ADDRESS = "127.0.0.1"
NAME_LENGTH = 60


class PageServer:
    """A server of `app`, with an address of their own for each annotator."""

    def __init__(self, app: ASGIApp, annotators: Sequence[str], *, port: int = 0) -> None:
        """Take the port (0: a free one).

        Raises:
            ConfigError: an annotator's name will not do, or the port is taken.
        """
        tokens = {secrets.token_urlsafe(32): name for name in _checked(annotators)}
        self._socket = _listening(port)
        host = f"{ADDRESS}:{self._socket.getsockname()[1]}"
        hosts = (host, host.replace(ADDRESS, "localhost"))
        self.addresses = {name: f"http://{host}/{token}/" for token, name in tokens.items()}
        """By annotator."""
        self._server = uvicorn.Server(
            uvicorn.Config(
                RequestGuard(app, tokens, hosts),
                access_log=False,
                date_header=False,
                lifespan="off",
                log_level="warning",
                server_header=False,
                timeout_graceful_shutdown=1,
                ws="none",
            )
        )

    def run(self) -> None:
        """Serve until Ctrl-C, the usual way to end it, or `stop`."""
        with self._socket:
            try:
                self._server.run(sockets=[self._socket])
            except KeyboardInterrupt:
                return

    def stop(self) -> None:
        """Make `run` return; for another thread."""
        self._server.should_exit = True


def _checked(annotators: Sequence[str]) -> Sequence[str]:
    for name in annotators:
        if not name.strip() or len(name) > NAME_LENGTH or not name.isprintable():
            raise ConfigError(
                f"an annotator's name has 1 to {NAME_LENGTH} printable characters, got {name!r}"
            )
    if len(set(annotators)) < len(annotators):
        raise ConfigError("an annotator is named twice; give each annotator a name of their own")
    return annotators


def _listening(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((ADDRESS, port))
        listening.listen()  # who asks before the server runs, waits
    except OSError as error:
        listening.close()
        reason = error.strerror or str(error)
        raise ConfigError(f"port {port} cannot be used: {reason}; choose another --port") from error
    return listening


_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_READING = frozenset({"GET", "HEAD"})
LONGEST_PATH = 1_000
"""Characters; no page of ours has more, and Python reads no number of over 4,300 digits."""
_OURS = frozenset({"", "none", "same-origin"})


class RequestGuard:
    """Lets through what comes with a token, our Host and no foreign Origin; the rest is refused.

    Each reply gets the headers of a page that may load its own files only, but for those that it
    has already. The token is the first part of the path. It is taken off the path, and the
    annotator whose it is stands in the scope's state.
    """

    def __init__(self, app: ASGIApp, annotators: Mapping[str, str], hosts: Iterable[str]) -> None:
        """Serve `annotators` (name by token) under `hosts` (with their port)."""
        self._app = app
        self._annotators = annotators
        self._hosts = frozenset(hosts)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            return  # a socket that is never accepted is closed by the server
        fault, token = self._fault(scope), scope["path"].removeprefix("/").partition("/")[0]
        annotator = self._whose(token) if len(scope["path"]) <= LONGEST_PATH else None
        if fault or annotator is None:
            refusal = PlainTextResponse(fault or "no such page", 403 if fault else 404, _HEADERS)
            await refusal(scope, receive, send)
            return
        rest = scope["path"][len(token) + 1 :]
        inner = {**scope, "path": rest, "raw_path": None, "state": {"annotator": annotator}}

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.lower().encode(), text.encode()) for name, text in _HEADERS.items()]
                own = {name for name, _ in message["headers"]}
                added = [(name, text) for name, text in extra if name not in own]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        await self._app(inner, receive, with_headers)

    def _fault(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        if headers.getlist("host") not in [[host] for host in self._hosts]:
            return "this Host is not served"
        origin = headers.get("origin")
        foreign = origin is not None and origin not in self._origins
        if foreign or headers.get("sec-fetch-site", "") not in _OURS:
            return "another origin may not ask"
        if scope["method"] not in _READING and origin is None:
            return "a change needs an Origin header"
        return None

    def _whose(self, token: str) -> str | None:
        """Return the holder of a token, in a time that tells nothing about it."""
        given, holder = token.encode("utf-8", "surrogateescape"), None
        for known, annotator in self._annotators.items():
            if hmac.compare_digest(known.encode(), given):
                holder = annotator
        return holder
