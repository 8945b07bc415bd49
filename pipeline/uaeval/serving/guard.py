"""Check requests: only holders of a token may make them, from our pages, on this machine."""

import hmac
from collections.abc import Iterable, Mapping

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
_SAFE_METHODS = frozenset({"GET", "HEAD"})
LONGEST_PATH = 1_000
"""Most characters of a path; Python cannot parse numbers of more than 4,300 digits."""
_OWN_SITES = frozenset({"", "none", "same-origin"})
"""Accepted values of `Sec-Fetch-Site`."""


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
                extra = [(name.lower().encode(), text.encode()) for name, text in _HEADERS.items()]
                present = {name for name, _ in message["headers"]}
                added = [(name, text) for name, text in extra if name not in present]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        await self._app(inner, receive, with_headers)

    def _fault(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        if headers.getlist("host") not in [[host] for host in self._hosts]:
            return "this Host is not served"
        origin = headers.get("origin")
        foreign = origin is not None and origin not in self._origins
        if foreign or headers.get("sec-fetch-site", "") not in _OWN_SITES:
            return "requests from another origin are refused"
        if scope["method"] not in _SAFE_METHODS and origin is None:
            return "a change needs an Origin header"
        return None

    def _holder(self, token: str) -> str | None:
        """Return the annotator who holds a token, in a time that does not depend on the token."""
        encoded, holder = token.encode("utf-8", "surrogateescape"), None
        for known, annotator in self._annotators.items():
            if hmac.compare_digest(known.encode(), encoded):
                holder = annotator
        return holder
