"""The interface between the pipeline and a language model, and the votes of several replies."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

from uaeval.llm.replies import Reply
from uaeval.records import Passage

R = TypeVar("R", bound=Reply)
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A question and its answer as they are shown to a model, numbered from 1."""

    number: int
    question: str
    answer: str


Field: TypeAlias = str | Passage | Sequence[Passage] | Sequence[Claim]
"""The types of value that a field of a prompt can have."""


class Model(Protocol):
    """Anything that replies to a prompt: a language model or the offline engine."""

    @property
    def name(self) -> str:
        """The name of the model in records, for example `openai:gpt-4.1-mini` or `offline-2`."""

    async def ask(
        self, prompt: str, reply_type: type[R], parse: Callable[[R], T], /, **fields: Field
    ) -> T:
        """Render the prompt named `prompt` with `fields`, and return the parsed reply.

        `parse` turns the reply into the value that is returned. It raises `ReplyError` if the reply
        contradicts the fields, for example by naming a passage that was not shown. Such a reply is
        treated like an unreadable one: the model is asked to repair it, and it is not stored.

        Raises:
            ModelError: the model could not be reached.
            RefusedError: the model refused, in the field that its provider has for refusals.
            BlockedError: a content filter stopped the request.
            ReplyError: the reply does not fit `reply_type`, even after one repair.
            PendingReply: the reply comes in a later batch.
            RunAborted: no further call can succeed (wrong key, exhausted quota).
        """


def count_votes(labels: Sequence[str]) -> dict[str, int]:
    """Return the number of votes for each label, the most frequent first, then by name."""
    return dict(sorted(Counter(labels).items(), key=lambda vote: (-vote[1], vote[0])))


def majority(labels: Sequence[str]) -> str | None:
    """Return the label with more than half of the votes; `None` if there is none."""
    [(label, votes)] = Counter(labels).most_common(1)
    return label if 2 * votes > len(labels) else None


def votes_text(votes: dict[str, int]) -> str:
    """Return the votes as text, for example `proven 2, one_answer 1`."""
    return ", ".join(f"{label} {count}" for label, count in votes.items())
