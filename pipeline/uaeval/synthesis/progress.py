"""What a run tells while it works; a terminal shows it, a library call may ignore it."""

from collections.abc import Mapping
from typing import Protocol

from uaeval.synthesis.category_progress import CandidateResult
from uaeval.types import Category


class ProgressListener(Protocol):
    """Someone who follows a run."""

    def step(self, text: str) -> None:
        """Hear what is done now, for example `reading docs`."""
        ...

    def start(self, quotas: Mapping[Category, int]) -> None:
        """Hear that writing starts, and how many queries of each category are wanted."""
        ...

    def attempt(self, attempt: CandidateResult, found: int, wanted: int) -> None:
        """Hear how one assignment ended, and how many of the pairs `wanted` are found by now.

        `wanted` shrinks where a plan is running out.
        """
        ...


class NoProgress:
    """Follows a run without a word."""

    def step(self, text: str) -> None:
        """Ignore it."""

    def start(self, quotas: Mapping[Category, int]) -> None:
        """Ignore it."""

    def attempt(self, attempt: CandidateResult, found: int, wanted: int) -> None:
        """Ignore it."""
