"""Ask the system under test one query and write down what it said."""

import unicodedata
from dataclasses import replace

from uaeval.errors import TargetError
from uaeval.storage import whole_characters
from uaeval.systems.system import System
from uaeval.types import Context, Query, Response, ResponseStatus


async def respond(query: Query, system: System, condition: str | None = None) -> Response:
    """Return the system's response to `query`.

    Raises:
        TargetError: no response came, or an empty one; neither is a refusal.
    """
    answer = await system.answer(query)
    if answer.status is ResponseStatus.OK and not _says_something(answer.text):
        # `raw` is set: a system that says nothing was there, and is no outage.
        raise TargetError(f"{system.name}: empty response to {query.id}", raw=answer.text)
    return Response(
        id="/".join(part for part in (query.id, system.name, condition) if part),
        query_id=query.id,
        text=whole_characters(answer.text),
        status=answer.status,
        retrieved_contexts=tuple(map(_whole, answer.contexts)),
        system=system.name,
        condition=condition,
        latency_s=answer.latency_s,
        stopped_parts=answer.stopped_parts,
    )


def _whole(context: Context) -> Context:
    name = None if context.id is None else whole_characters(context.id)
    heading = whole_characters(context.heading)
    return replace(context, id=name, text=whole_characters(context.text), heading=heading)


def _says_something(text: str) -> bool:
    """Return whether `text` has a letter, digit or sign; spaces and invisible marks say nothing."""
    return any(unicodedata.category(letter)[0] in "LNPS" for letter in text)
