"""Process records with bounded concurrency, and return failures as records.

A record is kept, rejected, failed, blocked or pending; any other exception is a bug and stops the
run.
"""

import asyncio
import gc
from asyncio import FIRST_COMPLETED
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from uaeval import errors
from uaeval.records import Blocked, Failure, Rejection
from uaeval.storage import whole_characters

_UNANSWERED: Final = {errors.ModelError.__name__, errors.TargetError.__name__}
MOST_RAW: Final = 4000
"""Characters of a model's text that a failure record keeps."""
THRESHOLD: Final = 20_000
"""Net number of new objects that starts a garbage collection of the youngest generation."""


B = TypeVar("B")
R = TypeVar("R")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PendingRecord:
    """A record whose reply comes in a later batch."""

    id: str


Outcome: TypeAlias = B | Rejection | Failure | Blocked | PendingRecord
"""What becomes of one record."""


async def all_of(calls: Sequence[Awaitable[B]]) -> list[B]:
    """Await all `calls` to their end, then return their results or raise the first error.

    So each call stores its request for the batch before a `PendingReply` is raised.
    """
    tasks = [asyncio.ensure_future(call) for call in calls]
    await asyncio.gather(*tasks, return_exceptions=True)
    return [task.result() for task in tasks]


class Attempts:
    """Runs the work on records; too many records in a row without an answer are an outage."""

    MOST_IN_ROW = 20
    """Unanswered records of one stage in a row at which the run is aborted."""

    def __init__(self) -> None:
        self._unanswered: Counter[str] = Counter()
        """Unanswered records in a row, by stage."""

    async def __call__(
        self, stage: str, record_id: str, work: Callable[[], Awaitable[B | Rejection]]
    ) -> Outcome[B]:
        """Return the outcome of the work of `stage` on one record.

        Raise `RunAborted` if too many records in a row got no answer, and every exception of the
        work other than `RecordError` and `PendingReply`.
        """
        outcome: Outcome[B]
        try:
            outcome = await work()
        except errors.PendingReply:
            outcome = PendingRecord(record_id)
        except errors.BlockedError as error:
            outcome = Blocked(id=record_id, stage=stage, message=whole_characters(str(error)))
        except errors.RecordError as error:
            kind, raw = type(error).__name__, _beginning(error.raw)
            message = whole_characters(str(error))
            outcome = Failure(id=record_id, stage=stage, kind=kind, message=message, raw=raw)
        failure = outcome if isinstance(outcome, Failure) and outcome.raw is None else None
        if failure is None or failure.kind not in _UNANSWERED:
            self._unanswered[stage] = 0
            return outcome
        self._unanswered[stage] += 1
        if (count := self._unanswered[stage]) >= self.MOST_IN_ROW:
            message = f"{count} calls in a row failed; the last: {failure.message}"
            raise errors.RunAborted(message.rstrip(".") + ".")
        return outcome


def _beginning(raw: str | None) -> str | None:
    if raw is None or len(raw) <= MOST_RAW:
        return raw and whole_characters(raw)
    return f"{whole_characters(raw[:MOST_RAW])} … ({len(raw) - MOST_RAW} more characters)"


async def keep_busy(
    take: Callable[[], T | None],
    work: Callable[[T], Awaitable[B]],
    *,
    concurrency: int,
    done: Callable[[B], None],
) -> None:
    """Run `work` on the records from `take`, at most `concurrency` at a time, until none is left.

    `take` is called whenever work may start, after `done` was called with every result so far. It
    returns `None` if there is no record now, and may return one later. The first error cancels
    the other work and is raised, after `done` was called with the results that came with it.
    """
    running: list[asyncio.Future[B]] = []
    try:
        with rare_collections():
            while True:
                while len(running) < concurrency and (record := take()) is not None:
                    running.append(asyncio.ensure_future(work(record)))
                if not running:
                    return
                await asyncio.wait(running, return_when=FIRST_COMPLETED)
                ended = [task for task in running if task.done()]
                running = [task for task in running if not task.done()]
                for task in sorted(ended, key=lambda task: task.exception() is not None):
                    done(task.result())
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


@contextmanager
def rare_collections() -> Iterator[None]:
    """Run fewer garbage collections in the block, and exclude older objects from them.

    With Python's default thresholds, a run spends a tenth of its time on collections that examine
    the imported modules, the chunks and the objects of calls in flight again and again. Within
    another such block nothing is changed.
    """
    defaults = gc.get_threshold()
    if defaults[0] == THRESHOLD:
        yield
        return
    gc.freeze()
    gc.set_threshold(THRESHOLD, *defaults[1:])
    try:
        yield
    finally:
        gc.set_threshold(*defaults)
        gc.unfreeze()


def as_failure(outcome: Failure | Blocked) -> Failure:
    """Return a failure unchanged, and a blocked call to a judge as a failure."""
    if isinstance(outcome, Failure):
        return outcome
    message = f"blocked by a content filter: {outcome.message}"
    return Failure(id=outcome.id, stage=outcome.stage, kind="BlockedError", message=message)


def is_undecided(failure: Failure) -> bool:
    """Return whether the offline judge could not decide, so that repeating the call is no use."""
    return failure.kind == errors.UndecidedError.__name__


def of_kind(outcomes: Iterable[object], kind: type[R]) -> list[R]:
    """Return the outcomes of one kind, in their order."""
    return [outcome for outcome in outcomes if isinstance(outcome, kind)]


async def run_calls(
    stage: str,
    calls: Mapping[str, Callable[[], Awaitable[R]]],
    *,
    concurrency: int,
    advanced: Callable[[object], None],
) -> list[Outcome[R]]:
    """Make `calls`, given by id, at most `concurrency` at a time; return their outcomes in order.

    Raise `RunAborted` as `Attempts` does.
    """
    attempts, remaining = Attempts(), iter(calls)
    outcomes: dict[str, Outcome[R]] = {}

    async def work(name: str) -> object:
        outcomes[name] = await attempts(stage, name, calls[name])
        return outcomes[name]

    await keep_busy(lambda: next(remaining, None), work, concurrency=concurrency, done=advanced)
    return [outcomes[name] for name in calls]
