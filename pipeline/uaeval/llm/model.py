"""The one seam between the pipeline and a language model."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, TypeVar

from uaeval.llm.replies import Reply
from uaeval.types import Claim, Passage

R = TypeVar("R", bound=Reply)
Field: TypeAlias = str | Passage | Sequence[Passage] | Sequence[Claim]
"""What a prompt can be filled with."""


class Model(Protocol):
    """Something that answers one named question with one typed reply."""

    @property
    def name(self) -> str:
        """Name the model in records, for example `openai:gpt-4.1-mini` or `offline-2`."""
        ...

    async def ask(
        self,
        prompt_name: str,
        reply_type: type[R],
        check: Callable[[R], object] | None = None,
        /,
        **fields: Field,
    ) -> R:
        """Answer the prompt called `prompt_name`, filled with `fields`.

        `check` raises `ReplyError` for a reply that makes no sense beside the fields, for example
        one that names a passage that was not shown. Such a reply is treated as an unreadable one:
        it is asked for once more, and never stored.

        Raises:
            ModelError: the model could not be reached.
            RefusedError: the model refused, through the channel that its provider has for it.
            BlockedError: a content filter stopped the request.
            ReplyError: the reply does not fit `reply_type`, after one repair.
            Pending: the request was written to the batch file and has no answer yet.
            StopRun: no further call can succeed (wrong key, exhausted quota).
        """
        ...
