"""Poll batches, once or until they end, and import their answers."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

from uaeval.cli.batch_run import opened_run
from uaeval.cli.terminal import complain
from uaeval.errors import ModelError
from uaeval.llm.batch import submitted
from uaeval.llm.batch.answers import ImportCounts
from uaeval.llm.batch.api import BatchApi
from uaeval.llm.batch.submitted import SentBatch, open_batches
from uaeval.run.bars import bars, print_line

T = TypeVar("T")
_MOST_FAILURES: Final = 30
"""Most failed attempts in a row to reach an endpoint."""


def pauses(every: float | None) -> Iterator[float]:
    """Yield the seconds between two polls: always `every`, or growing from 5 to 60."""
    pause = every or 5.0
    while True:
        yield pause
        pause = every or min(60.0, pause * 1.5)


def with_retries(work: Callable[[], T], pauses: Iterator[float] | None) -> T:
    """Return the result of `work`; with `pauses`, retry if the endpoint cannot be reached.

    Raises:
        ModelError: the last attempt failed.
    """
    for pause in islice(pauses or (), _MOST_FAILURES):
        try:
            return work()
        except ModelError as error:
            complain(f"{error}; trying again")
            time.sleep(pause)
    return work()


def poll(
    folder: Path, api: BatchApi, batch: SentBatch, *, answers: bool
) -> tuple[SentBatch, ImportCounts]:
    """Store and return the state of a batch; with `answers`, import those of an ended batch."""
    remote = None if batch.settled else submitted.batch_state(api, batch)
    if remote is None:
        return batch, ImportCounts()
    with opened_run(folder) as run:
        if answers and remote.ended:
            return submitted.import_batch(run.store, api, batch, remote)
        return submitted.store_state(run.store, batch, remote), ImportCounts()


def import_ended(
    folder: Path, api: BatchApi, pauses: Iterator[float] | None
) -> tuple[Sequence[SentBatch], ImportCounts]:
    """Import the answers of the ended batches; with `pauses`, wait until all have ended.

    Return the batches that were open in their last state, and the counts of imported answers.

    Raises:
        ModelError: the endpoint cannot be reached.
    """
    with opened_run(folder) as run:
        batches = list(open_batches(run.store))
    total, counts, shown = sum(batch.requests for batch in batches), ImportCounts(), ""
    with bars() as progress:
        task = progress.add_task("answers of batches", total=total, note="", visible=bool(batches))
        while True:
            for index, batch in enumerate(batches):
                work = partial(poll, folder, api, batch, answers=True)
                batches[index], imported = with_retries(work, pauses)
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
    """Return whether the batch was created and its answers are not imported."""
    return bool(batch.id) and not batch.settled
