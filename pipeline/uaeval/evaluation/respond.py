"""Ask the system under test one query and write down what it said."""

import unicodedata
from dataclasses import replace
from typing import Protocol

from uaeval.errors import TargetError
from uaeval.storage import whole_characters
from uaeval.types import Context, Query, Response, ResponseStatus


class SystemReply(Protocol):
    """What a system gives back, as far as it is written down."""

    @property
    def text(self) -> str:
        """What it said."""
        ...

    @property
    def status(self) -> ResponseStatus:
        """Whether it spoke, or a content filter did."""
        ...

    @property
    def contexts(self) -> tuple[Context, ...]:
        """The passages that it says it used."""
        ...

    @property
    def latency_s(self) -> float | None:
        """The seconds that it took, if it was watched."""
        ...

    @property
    def stopped_parts(self) -> tuple[str, ...]:
        """The parts of the built-in RAG that did nothing."""
        ...


class AnsweringSystem(Protocol):
    """Any system under test (every `uaeval.systems` one fits)."""

    @property
    def name(self) -> str:
        """Name the system in records."""
        ...

    async def answer(self, query: Query) -> SystemReply:
        """Answer one query; raise `TargetError` when no response came."""
        ...


async def respond(query: Query, system: AnsweringSystem, condition: str | None = None) -> Response:
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
