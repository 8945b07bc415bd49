"""The fixed files of a page, each served from memory under its own name and no other."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


def file_route(address: str, path: Path) -> Route:
    """Return the route that serves the file at `path`, as it is now."""
    body, media_type = path.read_bytes(), _TYPES[path.suffix]

    async def serve(_: Request) -> Response:
        return Response(body, media_type=media_type)

    return Route(address, serve)
