"""A web server that only this machine can reach."""

import secrets
import socket
from collections.abc import Sequence

import uvicorn
from starlette.types import ASGIApp

from uaeval.errors import ConfigError
from uaeval.serving.guard import RequestGuard

ADDRESS = "127.0.0.1"
NAME_LENGTH = 60


class PageServer:
    """Serves `app` under a separate address for each annotator."""

    def __init__(self, app: ASGIApp, annotators: Sequence[str], *, port: int = 0) -> None:
        """Listen on `port` (0: a free one).

        Raises:
            ConfigError: an annotator's name is invalid, or the port cannot be used.
        """
        tokens = {secrets.token_urlsafe(32): name for name in _checked(annotators)}
        self._socket = _listening(port)
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
        with self._socket:
            try:
                self._server.run(sockets=[self._socket])
            except KeyboardInterrupt:
                return

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


def _listening(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((ADDRESS, port))
        listening.listen()  # requests before the server runs wait
    except OSError as error:
        listening.close()
        reason = error.strerror or str(error)
        raise ConfigError(f"port {port} cannot be used: {reason}; choose another --port") from error
    return listening
