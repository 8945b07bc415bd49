"""The turns of a conversation before a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What was said before a question of a conversation."""

    role: Literal["user", "assistant"]
    content: str


def with_turns(turns: Sequence[Turn], question: str) -> str:
    """Return the question below its earlier turns; alone if there are none."""
    if not turns:
        return question
    said = [f"{turn.role.capitalize()}: {turn.content}" for turn in turns]
    return "\n".join(["Earlier turns:", *said, "", f"Question: {question}"])
