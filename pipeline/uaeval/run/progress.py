"""The interface for progress events of a run."""


class ProgressListener:
    """Receives the progress events of a run; this base class ignores them."""

    def started(self, stage: str, total: int | None = None) -> None:
        """Handle the start of a stage with `total` records, if that is known."""

    def advanced(self, outcome: object, done: int | None = None, total: int | None = None) -> None:
        """Handle the outcome of one record.

        `done` and `total` are the progress of the stage if a record is not one step.
        """
