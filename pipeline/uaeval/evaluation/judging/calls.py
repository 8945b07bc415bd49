"""Independent calls to judges: some at a time, each of which may fail alone."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from uaeval.run.progress import ProgressListener
from uaeval.runner import Attempts, PendingRecord, keep_busy
from uaeval.types import Blocked, Failure, Rejection

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Call(Generic[R]):
    """One call; `work` makes it."""

    id: str
    work: Callable[[], Awaitable[R]]

    async def made(self) -> R:
        """Make the call."""
        return await self.work()


def as_failure(outcome: Failure | Blocked) -> Failure:
    """Return a failure as it is; a content filter that stopped a judge becomes one."""
    if isinstance(outcome, Failure):
        return outcome
    message = f"blocked by a content filter: {outcome.message}"
    return Failure(id=outcome.id, stage=outcome.stage, kind="BlockedError", message=message)


@dataclass(slots=True)
class CallResults(Generic[R]):
    """How calls ended, each in the order of the calls."""

    records: dict[str, R] = field(default_factory=dict)
    """What the successful calls returned, by id."""
    failures: list[Failure | Blocked] = field(default_factory=list)
    waiting: int = 0


async def run_calls(
    stage: str, calls: Sequence[Call[R]], *, concurrency: int, progress: ProgressListener
) -> CallResults[R]:
    """Make the calls, at most `concurrency` at a time.

    Raises:
        RunAborted: too many calls in a row were not answered at all.
    """
    attempts, left = Attempts(), iter(calls)
    outcomes: dict[str, R | Rejection | Failure | Blocked | PendingRecord] = {}

    async def work(call: Call[R]) -> None:
        outcomes[call.id] = await attempts(stage, call, Call.made)
        progress.advanced(outcomes[call.id])

    await keep_busy(lambda: next(left, None), work, concurrency=concurrency, done=lambda _: None)
    results = CallResults[R]()
    for call in calls:
        match outcomes[call.id]:
            case Failure() | Blocked() as failure:
                results.failures.append(failure)
            case PendingRecord():
                results.waiting += 1
            case Rejection():
                raise AssertionError(f"{call.id}: a judge's reply is never rejected")
            case record:
                results.records[call.id] = record
    return results
