"""Wait for batches: poll them, bring in the answers of those that have ended, show progress."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from uaeval.cli.batch_run import describe, opened, say_counts
from uaeval.cli.progress import ProgressBar
from uaeval.cli.terminal import complain, say
from uaeval.errors import ModelError, RunAborted
from uaeval.llm.batch.answers import ImportCounts
from uaeval.llm.batch.api import BatchApi, RemoteBatch
from uaeval.llm.batch.requests import waiting
from uaeval.llm.batch.submitted import SentBatch, look, open_batches, take_home

T = TypeVar("T")

_MOST_TROUBLES: Final = 30
"""How often in a row an endpoint may be out of reach before waiting is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchPoll:
    """What one poll of the batches of a run brought in."""

    counts: ImportCounts = field(default_factory=ImportCounts)
    ended: tuple[SentBatch, ...] = ()
    running: int = 0
    """Batches that have not ended."""

    def __add__(self, other: "BatchPoll") -> "BatchPoll":
        return BatchPoll(
            counts=self.counts + other.counts,
            ended=self.ended + other.ended,
            running=self.running + other.running,
        )

    def report(self, folder: Path) -> bool:
        """Print what came in, and count its tokens; return whether further answers are awaited."""
        for batch in self.ended:
            say(describe(batch))
        if self.ended:
            say_counts(self.counts)
        if self.running:
            say(f"{self.running} batches have not ended yet; --wait waits for them")
        with opened(folder) as run:
            run.save()
            return waiting(run.store) > 0

    def refuse_standstill(self) -> None:
        """Raise `RunAborted` if batches ended without a single answer: sending more is useless."""
        counts = self.counts
        if self.ended and not counts.imported + counts.failed + counts.already:
            reasons = sorted({batch.reason or batch.status for batch in self.ended})
            raise RunAborted(f"the batches ended without an answer: {'; '.join(reasons)}")


def pauses(every: float | None) -> Iterator[float]:
    """Yield the seconds between two polls: always `every`, or from 5 up to 60."""
    pause = every or 5.0
    while True:
        yield pause
        pause = every or min(60.0, pause * 1.5)


def bring_home(folder: Path, api: BatchApi, pauses: Iterator[float] | None) -> BatchPoll:
    """Import the answers of the batches that have ended; with `pauses` wait for all of them.

    Raises:
        ModelError: the endpoint cannot be reached.
    """
    with opened(folder) as run:
        still = open_batches(run.store)
    brought = BatchPoll()
    if not still:
        return brought
    with _Progress(still) as progress:
        while True:
            seen = patiently(partial(_look, api, still), pauses)
            progress.show(seen)
            for batch, remote in seen:
                if remote and remote.ended:
                    brought += patiently(partial(_take_home, folder, api, batch, remote), pauses)
            still = tuple(batch for batch, remote in seen if remote and not remote.ended)
            if not still or pauses is None:
                return replace(brought, running=len(still))
            time.sleep(next(pauses))


def patiently(work: Callable[[], T], pauses: Iterator[float] | None) -> T:
    """Return what `work` returns; with `pauses` retry an endpoint that is out of reach.

    Raises:
        ModelError: the endpoint stays out of reach.
    """
    for pause in islice(pauses or (), _MOST_TROUBLES):
        try:
            return work()
        except ModelError as error:
            complain(f"{error}; trying again")
            time.sleep(pause)
    return work()


_Seen: TypeAlias = Sequence[tuple[SentBatch, RemoteBatch | None]]


def _look(api: BatchApi, batches: Sequence[SentBatch]) -> _Seen:
    return [(batch, look(api, batch)) for batch in batches]


def _take_home(folder: Path, api: BatchApi, batch: SentBatch, remote: RemoteBatch) -> BatchPoll:
    with opened(folder) as run:
        settled, counts = take_home(run.store, api, batch, remote)
    return BatchPoll(counts=counts, ended=(settled,))


class _Progress(ProgressBar):
    """One bar over all requests under way; without a terminal, a line whenever a state changes."""

    def __init__(self, batches: Sequence[SentBatch]) -> None:
        super().__init__()
        self._requests = {batch.number: batch.requests for batch in batches}
        self._done = dict.fromkeys(self._requests, 0)
        self._states: dict[int, str] = {}
        total = sum(self._requests.values())
        self._bars.update(self._task, description="answers of batches", total=total)

    def show(self, seen: _Seen) -> None:
        """Move the bar to where the batches stand."""
        before = dict(self._states)
        for batch, remote in seen:
            if remote:
                self._done[batch.number] = remote.completed + remote.failed
            self._states[batch.number] = remote.status if remote else batch.status
        counts = Counter(self._states.values())
        note = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
        done = sum(self._done.values())
        self._bars.update(self._task, completed=done, note=note)
        if self._states != before:
            self._print(f"{done} of {sum(self._requests.values())} requests; batches: {note}")
