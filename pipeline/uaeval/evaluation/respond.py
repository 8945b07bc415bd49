"""The responses of the system under test: asking for one, and how long they took."""

import unicodedata
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from uaeval.errors import TargetError
from uaeval.evaluation.manifest import Latency
from uaeval.llm.reading import without_reasoning
from uaeval.records import Query, Response, ResponseStatus
from uaeval.storage import whole_characters
from uaeval.systems.system import System


async def respond(query: Query, system: System) -> Response:
    """Return the system's response to `query`, without the reasoning before it.

    Raises:
        TargetError: there is no response, or it is empty or ends inside its reasoning.
    """
    answer = await system.answer(query)
    try:
        answer = replace(answer, text=without_reasoning(answer.text))
    except ValueError as error:
        raise TargetError(f"{system.name}: {error} ({query.id})", raw=answer.text) from error
    # Spaces and invisible characters are not a response.
    is_visible = any(unicodedata.category(char)[0] in "LNPS" for char in answer.text)
    if answer.status is ResponseStatus.OK and not is_visible:
        # `raw` is set because the system did answer; `Attempts` then does not count an outage.
        raise TargetError(f"{system.name}: empty response to {query.id}", raw=answer.text)
    answer = answer.with_texts(whole_characters)
    return Response(
        id=f"{query.id}/{system.name}",
        query_id=query.id,
        text=answer.text,
        status=answer.status,
        retrieved_contexts=answer.contexts,
        system=system.name,
        condition=None,
        latency_s=answer.latency_s,
        stopped_parts=answer.stopped_parts,
        tool_calls=answer.tool_calls,
    )


def latency(responses: Iterable[Response]) -> Latency | None:
    """Return the percentiles with linear interpolation; `None` if no response was timed."""
    answered = (each for each in responses if each.status is ResponseStatus.OK)
    seconds = [each.latency_s for each in answered if each.latency_s is not None]
    if not seconds:
        return None
    p50, p90, p95, p99, longest = np.percentile(seconds, [50, 90, 95, 99, 100]).round(3).tolist()
    return Latency(n=len(seconds), p50=p50, p90=p90, p95=p95, p99=p99, longest=longest)
