"""A local RAG endpoint that answers by a function of what it was sent."""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self, TypeAlias


@dataclass(frozen=True, kw_only=True)
class Got:
    """One request."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> object:
        return json.loads(self.body)


@dataclass(frozen=True, kw_only=True)
class Sent:
    """One reply; anything but bytes is sent as JSON."""

    body: object = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    after_s: float = 0.0
    hang_up: bool = False
    delimited: bool = True
    """Whether a header says how long the body is; else it ends with the connection."""


Answering: TypeAlias = Callable[[Got], Sent]


class RagServer:
    """`with RagServer(lambda got: Sent(body={"answer": "…"})) as server:` serves `server.url`."""

    def __init__(self, answer: Answering) -> None:
        self._answer = answer
        self._lock = threading.Lock()
        self.requests: list[Got] = []
        self.under_way = 0
        self.peak = 0
        self.stopping = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def reply(self, got: Got) -> Sent:
        with self._lock:
            self.requests.append(got)
            self.under_way += 1
            self.peak = max(self.peak, self.under_way)
            sent = self._answer(got)
        self.stopping.wait(sent.after_s)
        with self._lock:
            self.under_way -= 1
        return sent


def _handler(server: RagServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            length = int(self.headers.get("content-length", "0"))
            body = self.rfile.read(length)
            headers = {name.lower(): value for name, value in self.headers.items()}
            sent = server.reply(
                Got(method=self.command, path=self.path, headers=headers, body=body)
            )
            if sent.hang_up:
                self.connection.close()
                return
            told = sent.body if isinstance(sent.body, bytes) else json.dumps(sent.body).encode()
            kind = "text/plain" if isinstance(sent.body, bytes) else "application/json"
            try:
                self.send_response(sent.status)
                about = {"content-type": kind, "content-length": str(len(told)), **sent.headers}
                if not sent.delimited:
                    del about["content-length"]
                for name, value in about.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(told)
            except ConnectionError:
                return  # the client has given up waiting

        do_GET = do_POST = do_PUT = _serve  # noqa: N815 - the names that http.server calls

        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet."""

    return Handler
