"""Wait for an answer that is not ready when a system accepts the question (HTTP 202)."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import httpx

from uaeval.systems.attempts import MisfitFault, PassingFault
from uaeval.systems.carrier import content
from uaeval.systems.extract import find

_MOVED: Final = {HTTPStatus.FOUND, HTTPStatus.SEE_OTHER}
_UNFINISHED: Final = frozenset(
    "accepted created in_progress pending processing queued running scheduled started submitted "
    "waiting".split()
)
_FAILED: Final = frozenset("aborted canceled cancelled error expired failed failure".split())


def poll_url(
    reply: httpx.Response, text: str, path: str | None, polled: httpx.URL | None
) -> httpx.URL | None:
    """Return the address to ask next; `None` if the reply holds the answer or an error.

    `polled` is the address that this reply came from, if it is not the first reply.

    Raises:
        MisfitFault: the first reply does not say where the answer will be.
        PassingFault: the system reports that its work failed.
    """
    location = reply.headers.get("location")
    if polled is None:
        if reply.status_code != HTTPStatus.ACCEPTED:
            return None
        values = find(path, content(reply, text)) if path else [location]
        if not values or not isinstance(values[0], str):
            wrong = f"--poll-path {path!r} leads nowhere in it" if path else "give --poll-path"
            raise MisfitFault(f"HTTP 202: the reply does not say where the answer will be; {wrong}")
        return reply.request.url.join(values[0])
    if reply.status_code in _MOVED and location:
        return polled.join(location)
    if reply.status_code == HTTPStatus.ACCEPTED:
        return polled
    return polled if reply.is_success and _is_unfinished(content(reply, text)) else None


def _is_unfinished(value: object) -> bool:
    """Return whether the field `status` or `state` of a JSON reply says so."""
    if not isinstance(value, Mapping):
        return False
    status = str(value.get("status") or value.get("state")).casefold().replace("-", "_")
    if status in _FAILED:
        raise PassingFault(f"the system reports that its work ended as {status!r}")
    return status in _UNFINISHED
