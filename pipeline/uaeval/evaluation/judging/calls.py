"""Independent calls to judges: some at a time, each of which may fail alone."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResults(Generic[R]):
    """How calls ended, each in the order of the calls."""

    records: Mapping[str, R]
    """What the successful calls returned, by id."""
    failures: Sequence[Failure | Blocked]
    waiting: int


async def run_calls(
    stage: str, calls: Sequence[Call[R]], *, concurrency: int, progress: ProgressListener
) -> CallResults[R]:
    """Make the calls, at most `concurrency` at a time.

    Raises:
        RunAborted: too many calls in a row were not answered at all.
    """
    attempts, left = Attempts(), iter(calls)
    ended: dict[str, R | Rejection | Failure | Blocked | PendingRecord] = {}

    async def work(call: Call[R]) -> object:
        ended[call.id] = await attempts(stage, call, Call.made)
        return ended[call.id]

    await keep_busy(lambda: next(left, None), work, concurrency=concurrency, done=progress.advanced)
    outcomes = {call.id: ended[call.id] for call in calls}
    unfit = (Rejection, Failure, Blocked, PendingRecord)
    return CallResults(
        records={name: said for name, said in outcomes.items() if not isinstance(said, unfit)},
        failures=[said for said in outcomes.values() if isinstance(said, Failure | Blocked)],
        waiting=sum(isinstance(said, PendingRecord) for said in outcomes.values()),
    )
