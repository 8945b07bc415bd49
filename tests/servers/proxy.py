"""A local HTTP proxy: notes what it is asked for, and takes names to local sites."""

import base64
import select
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(kw_only=True)
class Proxy:
    """A running proxy."""

    port: int
    asked: list[str] = field(default_factory=list)
    """What each `CONNECT` named: `news.example.org:443`."""
    logins: list[str] = field(default_factory=list)
    """Name and password of each, `""` without."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def proxy(leads: Mapping[str, int], *, refuses: int | None = None) -> Iterator[Proxy]:
    """Run a proxy that tunnels `host:port` to a local port for as long as the block lasts.

    With `refuses` it answers every request with that status; what it does not know is a 502.
    """
    running = Proxy(port=0)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_CONNECT(self) -> None:
            running.asked.append(self.path)
            login = self.headers.get("Proxy-Authorization", "").removeprefix("Basic ")
            running.logins.append(base64.b64decode(login).decode())
            self.close_connection = True
            if refuses or self.path not in leads:
                self.send_error(refuses or 502)
                return
            with closing(socket.create_connection(("127.0.0.1", leads[self.path]))) as there:
                self.send_response(200)
                self.end_headers()
                _tunnel(self.connection, there)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.block_on_close = True, False
    running.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _tunnel(one: socket.socket, other: socket.socket) -> None:
    """Pass bytes on in both directions until either side hangs up."""
    goes_to = {one: other, other: one}
    while True:
        ready, _, _ = select.select([one, other], [], [])
        for end in ready:
            try:
                data = end.recv(65_536)
            except OSError:
                data = b""
            if not data:
                return
            goes_to[end].sendall(data)
