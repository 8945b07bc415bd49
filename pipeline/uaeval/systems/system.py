"""The interface of a system under test."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeAlias

from uaeval.records import Context, Query, ResponseStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer of a system to one query."""

    text: str
    status: ResponseStatus = ResponseStatus.OK
    """`BLOCKED` if the provider's content filter stopped it; `text` is then empty."""
    contexts: tuple[Context, ...] = ()
    """The passages that the system reports, best first."""
    tool_calls: tuple[str, ...] = ()
    """The tool calls that the system reports, each as `name(arguments)`."""
    latency_s: float | None = None
    """Seconds of the successful attempt; `None` if not measured."""
    stopped_parts: tuple[str, ...] = ()
    """Parts of the built-in RAG without effect, and why.

    `reranker refused`: the passages keep their order. `rewriting refused`, `rewriting gave
    nothing`: only the question was searched. `… blocked`: the response is blocked.
    """

    def with_texts(self, change: Callable[[str], str]) -> "Answer":
        """Return the answer with `change` applied to the texts, ids and tool calls."""
        contexts = tuple(
            Context(id=c.id and change(c.id), text=change(c.text), heading=change(c.heading))
            for c in self.contexts
        )
        calls = tuple(map(change, self.tool_calls))
        return replace(self, text=change(self.text), contexts=contexts, tool_calls=calls)


BLOCKED: Final = Answer(text="", status=ResponseStatus.BLOCKED)


class System(Protocol):
    """A system under test."""

    @property
    def name(self) -> str:
        """The name in records and folders."""

    async def answer(self, query: Query) -> Answer:
        """Answer `query.question`; the user's code receives no other field of the query.

        Raises:
            TargetError: there is no response; this never counts as a refusal.
            ConfigError: the system has given no answer yet, in this or an earlier session, and the
            settings are wrong.
        """


Opened: TypeAlias = AbstractAsyncContextManager[System]
"""A system for use in `async with`."""
