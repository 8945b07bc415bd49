"""Earlier turns of a conversation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A message of a conversation before a question."""

    role: Literal["user", "assistant"]
    content: str


def with_turns(turns: Sequence[Turn], question: str) -> str:
    """Return the question after its earlier turns; without turns, only the question."""
    if not turns:
        return question
    messages = [f"{turn.role.capitalize()}: {turn.content}" for turn in turns]
    return "\n".join(["Earlier turns:", *messages, "", f"Question: {question}"])
