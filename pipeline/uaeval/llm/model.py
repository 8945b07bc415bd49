"""The interface between the pipeline and a language model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

from uaeval.llm.replies import Reply
from uaeval.records import Passage

R = TypeVar("R", bound=Reply)
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """An answer to a question as it is shown to a model, numbered from 1."""

    number: int
    question: str
    answer: str


Field: TypeAlias = str | Passage | Sequence[Passage] | Sequence[Claim]
"""What a prompt can be filled with."""


class Model(Protocol):
    """Something that answers one named prompt with one typed reply."""

    @property
    def name(self) -> str:
        """Name the model in records, for example `openai:gpt-4.1-mini` or `offline-2`."""
        ...

    async def ask(
        self,
        prompt_name: str,
        reply_type: type[R],
        parse: Callable[[R], T],
        /,
        **fields: Field,
    ) -> T:
        """Fill the prompt called `prompt_name` with `fields`, ask it, and return the parsed reply.

        `parse` turns the reply into the value that the caller wants. It raises `ReplyError` if the
        reply makes no sense beside the fields, for example names a passage that was not shown.
        Such a reply is treated like an unreadable one: it is asked for once more, and never stored.

        Raises:
            ModelError: the model could not be reached.
            RefusedError: the model refused, through the channel that its provider has for it.
            BlockedError: a content filter stopped the request.
            ReplyError: the reply does not fit `reply_type`, after one repair.
            PendingReply: the request waits for a batch answer.
            RunAborted: no further call can succeed (wrong key, exhausted quota).
        """
        ...
