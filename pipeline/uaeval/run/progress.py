"""The progress of a run: a terminal shows it, a library call ignores it."""

from typing import Protocol


class ProgressListener(Protocol):
    """Follows a run through its stages."""

    def started(self, stage: str, total: int | None = None) -> None:
        """Take note that a stage has started, and of how many records it has, if that is known."""
        ...

    def advanced(self, outcome: object, done: int | None = None, total: int | None = None) -> None:
        """Take note of how one record ended.

        `done` of `total` is how far the stage is, where that is not one step for each record.
        """
        ...


class NoProgress:
    """Ignores all of it."""

    def started(self, stage: str, total: int | None = None) -> None:
        """Do nothing."""

    def advanced(self, outcome: object, done: int | None = None, total: int | None = None) -> None:
        """Do nothing."""
