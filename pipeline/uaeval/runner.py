"""Run work over records: bounded concurrency, order, and failures kept as data.

This is the only place that knows about concurrency. A record's work ends in exactly one way: it is
kept, rejected, failed or pending; anything else is a bug and stops the run.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from uaeval.errors import ModelError, Pending, RecordError, StopRun, TargetError
from uaeval.types import Failure, Rejection


class Record(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str:
        """Identify the record within its run."""
        ...


A = TypeVar("A", bound=Record)
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Waiting:
    """The record's answer is not there yet (batch mode)."""

    id: str


class Outage:
    """Counts calls that failed one after the other; so many in a row are an outage, not records."""

    MOST_IN_ROW = 20

    def __init__(self) -> None:
        self._in_row = 0

    def note(self, outcome: object) -> None:
        """Take one outcome in.

        Raises:
            StopRun: too many calls in a row were not answered at all.
        """
        unanswered = isinstance(outcome, Failure) and outcome.kind in _UNANSWERED
        self._in_row = self._in_row + 1 if unanswered else 0
        if isinstance(outcome, Failure) and self._in_row >= self.MOST_IN_ROW:
            message = f"{self._in_row} calls in a row failed; the last: {outcome.message}"
            raise StopRun(message.rstrip(".") + ".")


_UNANSWERED = {ModelError.__name__, TargetError.__name__}


async def all_of(asks: Sequence[Awaitable[B]]) -> list[B]:
    """Await all of `asks` to their end, then return their results or raise the first error.

    So each of them gets to write its request down before a `Pending` is raised.
    """
    results = await asyncio.gather(*asks, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


async def attempt(
    stage: str, record: A, work: Callable[[A], Awaitable[B | Rejection]]
) -> B | Rejection | Failure | Waiting:
    """Return how `work` ended for one record.

    Errors other than `RecordError` and `Pending` are bugs or orders to stop, and are raised.
    """
    try:
        return await work(record)
    except Pending:
        return Waiting(record.id)
    except RecordError as error:
        kind = type(error).__name__
        return Failure(id=record.id, stage=stage, kind=kind, message=str(error))


async def run_all(
    records: Sequence[A],
    work: Callable[[A], Awaitable[B]],
    *,
    concurrency: int,
    done: Callable[[B], None] = lambda _: None,
) -> tuple[B, ...]:
    """Return the result of `work` for each record, in the order of `records`.

    At most `concurrency` are under way at once. `done` is called with each result as it comes.
    The first error stops the rest and is raised.
    """
    gate = asyncio.Semaphore(concurrency)

    async def one(record: A) -> B:
        async with gate:
            result = await work(record)
        done(result)
        return result

    tasks = [asyncio.create_task(one(record)) for record in records]
    try:
        return tuple(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
