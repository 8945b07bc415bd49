"""What a run tells while it works; a terminal shows it, a library call may ignore it."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from uaeval.synthesis.attempts import Attempt, Line
from uaeval.synthesis.select import Selection
from uaeval.types import Category


class Watcher(Protocol):
    """Someone who follows a run."""

    def step(self, text: str) -> None:
        """Hear what is done now, for example `reading docs`."""
        ...

    def round(
        self, lines: Sequence[Line], selections: Mapping[Category, Selection], count: int
    ) -> None:
        """Hear that a round of `count` assignments starts, and what is chosen so far."""
        ...

    def attempt(self, attempt: Attempt) -> None:
        """Hear how one assignment ended."""
        ...


class Silent:
    """Follows a run without a word."""

    def step(self, text: str) -> None:
        """Ignore it."""

    def round(
        self, lines: Sequence[Line], selections: Mapping[Category, Selection], count: int
    ) -> None:
        """Ignore it."""

    def attempt(self, attempt: Attempt) -> None:
        """Ignore it."""
