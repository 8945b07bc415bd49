"""Serve pages to this machine only: the server, its files, and the guard that checks requests.

Only holders of a token may make requests, from our pages, on this machine.
"""

import hmac
import os
import secrets
import socket
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from uaeval.errors import ConfigError

ADDRESS = "127.0.0.1"
NAME_LENGTH = 60
_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
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
LONGEST_PATH = 1_000
"""Most characters of a path; Python cannot parse numbers of more than 4,300 digits."""


class RequestGuard:
    """Passes requests with a token, our Host and no foreign Origin; refuses all others.

    The token is the first part of the path. The app receives the path without it, and the token's
    annotator in the state of the scope. Replies get headers that let a page load only its own
    files, unless the app set these headers itself.
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
        annotator = self._holder(token) if len(scope["path"]) <= LONGEST_PATH else None
        if fault or annotator is None:
            refusal = PlainTextResponse(fault or "no such page", 403 if fault else 404, _HEADERS)
            await refusal(scope, receive, send)
            return
        rest = scope["path"][len(token) + 1 :]
        inner = {**scope, "path": rest, "raw_path": None, "state": {"annotator": annotator}}

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, text in _HEADERS.items():
                    headers.setdefault(name, text)
            await send(message)

        await self._app(inner, receive, with_headers)

    def _fault(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        if headers.getlist("host") not in [[host] for host in self._hosts]:
            return "this Host is not served"
        origin = headers.get("origin")
        foreign = origin is not None and origin not in self._origins
        if foreign or headers.get("sec-fetch-site", "") not in {"", "none", "same-origin"}:
            return "requests from another origin are refused"
        if scope["method"] not in {"GET", "HEAD"} and origin is None:
            return "a change needs an Origin header"
        return None

    def _holder(self, token: str) -> str | None:
        """Return the annotator who holds a token, in a time that does not depend on the token."""
        encoded, holder = token.encode("utf-8", "surrogateescape"), None
        for known, annotator in self._annotators.items():
            if hmac.compare_digest(known.encode(), encoded):
                holder = annotator
        return holder


class PageServer:
    """Serves `app` under a separate address for each annotator."""

    def __init__(self, app: ASGIApp, annotators: Sequence[str], *, port: int = 0) -> None:
        """Listen on `port` (0: a free one); raise `ConfigError` for it or an invalid name."""
        tokens = {secrets.token_urlsafe(32): name for name in _checked(annotators)}
        try:  # requests wait in the socket until the server runs
            self._socket = socket.create_server((ADDRESS, port))
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            problem = f"port {port} cannot be used: {reason}; choose another --port"
            raise ConfigError(problem) from error
        host = f"{ADDRESS}:{self._socket.getsockname()[1]}"
        hosts = (host, host.replace(ADDRESS, "localhost"))
        self.addresses = {name: f"http://{host}/{token}/" for token, name in tokens.items()}
        """Addresses by annotator."""
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
        """Serve until Ctrl-C or `stop`."""
        with self._socket, suppress(KeyboardInterrupt):
            self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        """Make `run` return; call it from another thread."""
        self._server.should_exit = True


def _checked(annotators: Sequence[str]) -> Sequence[str]:
    for name in annotators:
        if not name.strip() or len(name) > NAME_LENGTH or not name.isprintable():
            raise ConfigError(
                f"an annotator's name has 1 to {NAME_LENGTH} printable characters, got {name!r}"
            )
    if len(set(annotators)) < len(annotators):
        raise ConfigError("two annotators have the same name; give each a different one")
    return annotators


def file_route(address: str, path: Path) -> Route:
    """Return the route that serves the present content of the file at `path`."""
    body, media_type = path.read_bytes(), _TYPES[path.suffix]

    async def serve(_: Request) -> Response:
        return Response(body, media_type=media_type)

    return Route(address, serve)
