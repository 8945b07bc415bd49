"""Local web sites over real HTTP: each on a loopback address of its own, misbehaving to order."""

import ssl
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeAlias

Headers: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A site's answer to one request."""

    body: bytes | Iterable[bytes] = b""
    """Of a kind without length: sent until the client hangs up."""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: Headers = ()
    wait_s: float = 0.0
    """Before the first byte."""
    trickle_s: float = 0.0
    """Between two bytes."""
    missing: int = 0
    """Bytes that are announced and never sent."""
    raw: bytes | Iterable[bytes] | None = None
    """Sent as it is instead of any of this."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request, as it came in."""

    path: str
    headers: Message
    at: float
    """`time.monotonic()`."""


Replies: TypeAlias = Callable[[Asked], Answer | None]
"""What a site says to a request; `None`: 404."""


@dataclass(kw_only=True)
class Site:
    """A running site."""

    host: str
    port: int
    asked: list[Asked] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.asked]


def pages(replies: dict[str, Answer]) -> Replies:
    """Answer by path."""
    return lambda asked: replies.get(asked.path)


@contextmanager
def site(
    replies: Replies, host: str = "127.0.0.1", *, tls: ssl.SSLContext | None = None
) -> Iterator[Site]:
    """Run a site for as long as the block lasts."""
    running = Site(host=host, port=0)

    class Handler(_Handler):
        def answer(self) -> Answer | None:
            asked = Asked(path=self.path, headers=self.headers, at=time.monotonic())
            running.asked.append(asked)
            return replies(asked)

    server = _Server((host, 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    running.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a client that hangs up."""


class _Handler(BaseHTTPRequestHandler, ABC):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @abstractmethod
    def answer(self) -> Answer | None:
        """Return what is sent; `None`: there is no such page."""

    def do_GET(self) -> None:
        answer = self.answer() or Answer(status=404, body=b"<p>not here</p>")
        time.sleep(answer.wait_s)
        if answer.raw is not None:
            self._send(answer.raw, 0.0)
            self.close_connection = True
            return
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        for name, value in answer.headers:
            self.send_header(name, value.encode().decode("latin-1"))
        if isinstance(answer.body, bytes):
            self.send_header("Content-Length", str(len(answer.body) + answer.missing))
        else:
            self.send_header("Connection", "close")
        self.end_headers()
        self._send(answer.body, answer.trickle_s)
        if answer.missing or not isinstance(answer.body, bytes):
            self.close_connection = True

    def _send(self, body: bytes | Iterable[bytes], pause_s: float) -> None:
        if isinstance(body, bytes) and not pause_s:
            self.wfile.write(body)
            return
        parts = (bytes([byte]) for byte in body) if isinstance(body, bytes) else body
        for part in parts:
            self.wfile.write(part)
            self.wfile.flush()
            time.sleep(pause_s)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
