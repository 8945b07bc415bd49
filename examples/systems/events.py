"""Server-sent events: `--system http --url http://127.0.0.1:8111/ask --answer-path delta`.

Install the server by `pip install starlette uvicorn`, and start it in this folder by
`uvicorn events:app --port 8111`.
"""

import json
from collections.abc import Iterator

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route


def pieces() -> Iterator[str]:
    for piece in ("I don't", " know."):
        yield f"data: {json.dumps({'delta': piece})}\n\n"


async def ask(request: Request) -> StreamingResponse:
    return StreamingResponse(pieces(), media_type="text/event-stream")


app = Starlette(routes=[Route("/ask", ask, methods=["POST"])])
