"""The system under test, met at one place."""

from dataclasses import dataclass
from typing import Protocol

from uaeval.types import Context, Query, ResponseStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a system gave back to one query."""

    text: str
    status: ResponseStatus = ResponseStatus.OK
    """`BLOCKED` when the content filter of the system's provider stopped it; `text` is empty."""
    contexts: tuple[Context, ...] = ()
    """The passages that it says it used, best first; empty when it does not say."""
    latency_s: float | None = None
    """Seconds that the attempt which gave this answer took; `None` where nobody watched."""
    stopped_parts: tuple[str, ...] = ()
    """Parts of the built-in RAG that did nothing, and why.

    `reranker refused`: the passages stand as they were retrieved; `rewriting refused`, `rewriting
    gave nothing`: the question alone was searched by; after `… blocked` the response is blocked.
    """


class System(Protocol):
    """Something that answers questions."""

    @property
    def name(self) -> str:
        """Name the system in records and folders."""
        ...

    async def answer(self, query: Query) -> Answer:
        """Answer `query.question`; nothing else of the query is shown to the user's code.

        Raises:
            TargetError: no response came; this is never a refusal.
            ConfigError: nothing was answered so far, and the settings are at fault.
        """
        ...
