"""Look at batches once or until they end, and bring in their answers."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

from uaeval.cli.batch_run import opened
from uaeval.cli.terminal import complain
from uaeval.errors import ModelError
from uaeval.llm.batch import submitted
from uaeval.llm.batch.answers import ImportCounts
from uaeval.llm.batch.api import BatchApi
from uaeval.llm.batch.submitted import SentBatch, open_batches
from uaeval.run.bars import bars, print_line

T = TypeVar("T")
_MOST_TROUBLES: Final = 30
"""How often in a row an endpoint may be out of reach before waiting is given up."""


def pauses(every: float | None) -> Iterator[float]:
    """Yield the seconds between two polls: always `every`, or from 5 up to 60."""
    pause = every or 5.0
    while True:
        yield pause
        pause = every or min(60.0, pause * 1.5)


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


def poll(
    folder: Path, api: BatchApi, batch: SentBatch, *, answers: bool
) -> tuple[SentBatch, ImportCounts]:
    """Store and return the state of a batch; with `answers` import them if it has ended."""
    remote = None if batch.settled else submitted.batch_state(api, batch)
    if remote is None:
        return batch, ImportCounts()
    with opened(folder) as run:
        if answers and remote.ended:
            return submitted.import_batch(run.store, api, batch, remote)
        return submitted.store_state(run.store, batch, remote), ImportCounts()


def bring_home(
    folder: Path, api: BatchApi, pauses: Iterator[float] | None
) -> tuple[Sequence[SentBatch], ImportCounts]:
    """Import the answers of the batches that have ended; with `pauses` wait for all of them.

    Return the batches that were open, in their last state, and how many answers came in.

    Raises:
        ModelError: the endpoint cannot be reached.
    """
    with opened(folder) as run:
        batches = list(open_batches(run.store))
    total, counts, shown = sum(batch.requests for batch in batches), ImportCounts(), ""
    with bars() as progress:
        task = progress.add_task("answers of batches", total=total, note="", visible=bool(batches))
        while True:
            for place, batch in enumerate(batches):
                work = partial(poll, folder, api, batch, answers=True)
                batches[place], imported = patiently(work, pauses)
                counts += imported
            states = Counter(batch.status for batch in batches)
            summary = ", ".join(f"{number} {name}" for name, number in sorted(states.items()))
            done = sum(batch.completed + batch.failed for batch in batches)
            progress.update(task, completed=done, note=summary)
            if summary != shown:
                print_line(f"{done} of {total} requests; batches: {summary}")
                shown = summary
            if pauses is None or not any(map(is_running, batches)):
                return batches, counts
            time.sleep(next(pauses))


def is_running(batch: SentBatch) -> bool:
    """Return whether the batch was made and has not ended."""
    return bool(batch.id) and not batch.settled
