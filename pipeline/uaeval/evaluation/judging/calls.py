"""Independent calls to judges: some at a time, each of which may fail alone."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from uaeval.run.progress import ProgressListener
from uaeval.runner import OutageDetector, PendingRecord, attempt, keep_busy
from uaeval.types import Blocked, Failure, Rejection

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Call(Generic[R]):
    """One call; `work` makes it."""

    id: str
    work: Callable[[], Awaitable[R]]


def as_failure(outcome: Failure | Blocked) -> Failure:
    """Return a failure as it is; a content filter that stopped a judge becomes one."""
    if isinstance(outcome, Failure):
        return outcome
    message = f"blocked by a content filter: {outcome.message}"
    return Failure(id=outcome.id, stage=outcome.stage, kind="BlockedError", message=message)


async def run_calls(
    stage: str, calls: Sequence[Call[R]], *, concurrency: int, progress: ProgressListener
) -> dict[str, R | Rejection | Failure | Blocked | PendingRecord]:
    """Return the outcome of each call by its id, in the order of `calls`.

    Raises:
        RunAborted: too many calls in a row were not answered at all.
    """
    outage, left = OutageDetector(), iter(calls)
    outcomes: dict[str, R | Rejection | Failure | Blocked | PendingRecord] = {}

    async def work(
        call: Call[R],
    ) -> tuple[str, R | Rejection | Failure | Blocked | PendingRecord]:
        return call.id, await attempt(stage, call, lambda pending: pending.work())

    def note(ended: tuple[str, R | Rejection | Failure | Blocked | PendingRecord]) -> None:
        outcomes[ended[0]] = ended[1]
        progress.advanced(ended[1])
        outage.note(ended[1])

    await keep_busy(lambda: next(left, None), work, concurrency=concurrency, done=note)
    return {call.id: outcomes[call.id] for call in calls}
