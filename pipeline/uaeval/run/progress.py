"""The progress of a run: a terminal shows it, a library call ignores it."""


class ProgressListener:
    """Follows a run through its stages; this base ignores all of it."""

    def started(self, stage: str, total: int | None = None) -> None:
        """Take note that a stage has started, and of how many records it has, if that is known."""

    def advanced(self, outcome: object, done: int | None = None, total: int | None = None) -> None:
        """Take note of how one record ended.

        `done` of `total` is how far the stage is, where that is not one step for each record.
        """
