"""Serve the fixed files of a page from memory."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


def file_route(address: str, path: Path) -> Route:
    """Return the route that serves the present content of the file at `path`."""
    body, media_type = path.read_bytes(), _TYPES[path.suffix]

    async def serve(_: Request) -> Response:
        return Response(body, media_type=media_type)

    return Route(address, serve)
