"""Run work over records: bounded concurrency, order, and failures kept as data.

A record's work ends in exactly one way: it is kept, rejected, failed, blocked or pending; anything
else is a bug and stops the run.
"""

import asyncio
from asyncio import FIRST_COMPLETED
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from uaeval.errors import (
    BlockedError,
    ModelError,
    PendingReply,
    RecordError,
    RunAborted,
    TargetError,
)
from uaeval.records import Blocked, Failure, Rejection
from uaeval.storage import whole_characters

_UNANSWERED: Final = {ModelError.__name__, TargetError.__name__}
MOST_RAW: Final = 4000
"""Characters of a model's text that a failure record keeps."""


B = TypeVar("B")
R = TypeVar("R")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PendingRecord:
    """The record's answer is not there yet (batch mode)."""

    id: str


async def all_of(asks: Sequence[Awaitable[B]]) -> list[B]:
    """Await all of `asks` to their end, then return their results or raise the first error.

    So each of them gets to write its request down before a `PendingReply` is raised.
    """
    tasks = [asyncio.ensure_future(ask) for ask in asks]
    await asyncio.gather(*tasks, return_exceptions=True)
    return [task.result() for task in tasks]


async def attempt(
    stage: str, record_id: str, work: Callable[[], Awaitable[B | Rejection]]
) -> B | Rejection | Failure | Blocked | PendingRecord:
    """Return how the work of `stage` on one record ended.

    Errors other than `RecordError` and `PendingReply` are bugs or orders to stop, and are raised.
    """
    try:
        return await work()
    except PendingReply:
        return PendingRecord(record_id)
    except BlockedError as error:
        return Blocked(id=record_id, stage=stage, message=whole_characters(str(error)))
    except RecordError as error:
        kind, raw = type(error).__name__, _beginning(error.raw)
        message = whole_characters(str(error))
        return Failure(id=record_id, stage=stage, kind=kind, message=message, raw=raw)


class Attempts:
    """Attempts records; so many of a stage in a row without any answer are an outage."""

    MOST_IN_ROW = 20

    def __init__(self) -> None:
        self._unanswered: Counter[str] = Counter()
        """By stage, how many in a row."""

    async def __call__(
        self, stage: str, record_id: str, work: Callable[[], Awaitable[B | Rejection]]
    ) -> B | Rejection | Failure | Blocked | PendingRecord:
        """Return how the work on one record ended, as `attempt` does.

        Raises:
            RunAborted: too many calls in a row were not answered at all.
        """
        outcome = await attempt(stage, record_id, work)
        failure = outcome if isinstance(outcome, Failure) and outcome.raw is None else None
        if failure is None or failure.kind not in _UNANSWERED:
            self._unanswered[stage] = 0
            return outcome
        self._unanswered[stage] += 1
        if self._unanswered[stage] >= self.MOST_IN_ROW:
            count = self._unanswered[stage]
            message = f"{count} calls in a row failed; the last: {failure.message}"
            raise RunAborted(message.rstrip(".") + ".")
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
    """Keep `concurrency` pieces of work under way for as long as `take` has one to give.

    `take` is called whenever a place is free, after `done` was called with every result so far; it
    may return a piece again after it returned `None`. The first error cancels the rest and is
    raised, after `done` was called with the results that came beside it.
    """
    under_way: list[asyncio.Future[B]] = []
    try:
        while True:
            while len(under_way) < concurrency and (record := take()) is not None:
                under_way.append(asyncio.ensure_future(work(record)))
            if not under_way:
                return
            await asyncio.wait(under_way, return_when=FIRST_COMPLETED)
            ended = [task for task in under_way if task.done()]
            under_way = [task for task in under_way if not task.done()]
            for task in sorted(ended, key=lambda task: task.exception() is not None):
                done(task.result())
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


def as_failure(outcome: Failure | Blocked) -> Failure:
    """Return a failure as it is; a content filter that stopped a judge becomes one."""
    if isinstance(outcome, Failure):
        return outcome
    message = f"blocked by a content filter: {outcome.message}"
    return Failure(id=outcome.id, stage=outcome.stage, kind="BlockedError", message=message)


def of_kind(outcomes: Iterable[object], kind: type[R]) -> list[R]:
    """Return the outcomes of one kind, in their order."""
    return [outcome for outcome in outcomes if isinstance(outcome, kind)]


async def run_calls(
    stage: str,
    calls: Mapping[str, Callable[[], Awaitable[R]]],
    *,
    concurrency: int,
    advanced: Callable[[object], None],
) -> list[R | Rejection | Failure | Blocked | PendingRecord]:
    """Make the calls, known by id, at most `concurrency` at a time; return how each ended.

    Raises:
        RunAborted: too many calls in a row were not answered at all.
    """
    attempts, left = Attempts(), iter(calls)
    ended: dict[str, R | Rejection | Failure | Blocked | PendingRecord] = {}

    async def work(name: str) -> object:
        ended[name] = await attempts(stage, name, calls[name])
        return ended[name]

    await keep_busy(lambda: next(left, None), work, concurrency=concurrency, done=advanced)
    return [ended[name] for name in calls]
