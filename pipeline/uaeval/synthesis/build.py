"""Work through the plan until every quota is full or the plan is used up.

Candidates flow one by one through writing, checks and proof; none waits for another. What is
chosen depends on the plan and on the replies alone, not on the order in which replies come, on the
concurrency, or on how often the run was interrupted: each category chooses from the shortest part
of its plan, from the front, that is final and fills its quota. What was proven after that part is
kept as spare; how much there is of it may differ from run to run.
"""

import gc
import math
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

from uaeval.errors import RunAborted
from uaeval.records import Assignment, Candidate, Rejection
from uaeval.run.progress import ProgressListener
from uaeval.runner import Attempts, PendingRecord, keep_busy
from uaeval.synthesis.category_progress import BuildResult, CandidateResult, CategoryProgress
from uaeval.synthesis.panel import Verifying
from uaeval.synthesis.select import DuplicateIndex

THRESHOLD: Final = 20_000
"""Objects made, and not gone by themselves, after which the youngest are looked through."""
SAVE_EVERY = 5.0
"""Seconds between two saves, at the least."""
SAVE_SHARE = 0.01
"""The share of a run's time that saving may take, but for the last save."""
AHEAD = 0.5
"""Candidates under way beyond the calls in flight, as a share of these: while the reply to one is
read and kept, the question to another is ready to be sent."""


class Scheduler:
    """Start assignments of the category that is furthest behind.

    In live mode a category starts as many as it is expected to need and a few more. At most
    `concurrency` assignments in all are started that may turn out to be superfluous. In batch
    mode, the number that is expected to be needed is started at once.
    """

    def __init__(self, lines: Sequence[CategoryProgress], *, concurrency: int, batch: bool) -> None:
        self.lines = lines
        self._concurrency = concurrency
        self._batch = batch
        self._places = {line.category: place for place, line in enumerate(lines)}
        self._select_again(0)

    def take(self) -> Assignment | None:
        """Start and return the next assignment; `None` if none can start now."""
        surplus = sum(line.in_flight.surplus for line in self.lines)
        room = surplus < self._concurrency
        free = [
            (line.reach, place)
            for place, line in enumerate(self.lines)
            if line.may_start(batch=self._batch, room=room)
        ]
        return self.lines[min(free)[1]].start() if free else None

    @property
    def finished(self) -> bool:
        """Whether no further outcome can change the selection."""
        return all(line.finished for line in self.lines)

    def record(self, attempt: CandidateResult) -> None:
        """Record how an assignment ended, and continue the selections."""
        place = self._places[attempt.assignment.category]
        usable = self.lines[place].end(attempt)
        for later in range(place + 1, len(self.lines)):
            if any(map(self.lines[later].selector.duplicates.has_own, usable)):
                self._select_again(later)
                return

    def _select_again(self, place: int) -> None:
        """Select again from category `place` on: an earlier one has the like of theirs."""
        duplicates = self.lines[place - 1].selector.duplicates if place else None
        for line in self.lines[place:]:
            duplicates = DuplicateIndex(duplicates)
            line.select_anew(duplicates)

    def end_early(self) -> None:
        """Wait for nothing more, and select from what is proven."""
        for line in self.lines:
            line.end_early()
        self._select_again(0)

    def progress(self) -> tuple[int, int]:
        """Return the proven pairs, and those wanted to select from, which stay as many."""
        wanted = [(line, line.selector.wanted) for line in self.lines]
        proven = (
            min(most, len(line.selector.usable) + line.in_flight.proven) for line, most in wanted
        )
        return sum(proven), sum(most for _, most in wanted)


async def build(
    lines: Sequence[CategoryProgress],
    generate: Callable[[Assignment], Awaitable[Candidate | Rejection]],
    verify: Verifying,
    *,
    concurrency: int,
    batch: bool,
    progress: ProgressListener,
    save: Callable[[BuildResult], None],
    on_final: Callable[[BuildResult], None],
    end_now: bool = False,
) -> BuildResult:
    """Fill every line's quota, or use its plan up, or stop where answers are still to come.

    With `end_now` nothing more is waited for: the selection is made from what is proven.

    A few more candidates than `concurrency` are under way, so that as many calls are in flight.
    `save` is called with the state now and then, and at the end, however that comes. `on_final` is
    called once, when nothing that is still to come can change what is chosen: no further call need
    begin, while those in flight end; or at the end.

    Raises:
        RunAborted: the run cannot go on, and the selection is not final yet.
    """
    schedule = Scheduler(lines, concurrency=concurrency, batch=batch)
    work = partial(_outcome_of, schedule, Attempts(), generate, verify)
    final = False
    save_now_and_then = now_and_then(lambda: save(BuildResult.of(lines)))

    def done(ended: CandidateResult | None) -> None:
        nonlocal final
        if ended is None:
            return
        schedule.record(ended)
        if schedule.finished and not final:
            final = True
            on_final(BuildResult.of(lines))
        progress.advanced(ended.outcome, *schedule.progress())
        save_now_and_then()

    _, wanted = schedule.progress()
    progress.started(f"writing queries to select {sum(line.quota for line in lines)} from", wanted)
    try:
        under_way = concurrency + math.ceil(AHEAD * concurrency)
        with rare_collections():
            await keep_busy(schedule.take, work, concurrency=under_way, done=done)
        if end_now or schedule.finished:
            schedule.end_early()
    finally:
        built = BuildResult.of(lines)
        save(built)
    if not final:
        on_final(built)
    return built


async def _outcome_of(
    schedule: Scheduler,
    attempts: Attempts,
    generate: Callable[[Assignment], Awaitable[Candidate | Rejection]],
    verify: Verifying,
    assignment: Assignment,
) -> CandidateResult | None:
    """Return how it ended; `None` if its candidate is no longer needed and was not written."""
    candidate = None
    try:
        write = partial(generate, assignment)
        written = await attempts("generate", assignment.id, write)
        if not isinstance(written, Candidate):
            return CandidateResult(assignment=assignment, candidate=None, outcome=written)
        candidate = written
        outcome = await attempts("verify", candidate.id, partial(verify, candidate))
    except RunAborted:
        if not schedule.finished:
            raise
        if candidate is None:
            return None
        outcome = PendingRecord(candidate.id)
    return CandidateResult(assignment=assignment, candidate=candidate, outcome=outcome)


def now_and_then(
    save: Callable[[], None], clock: Callable[[], float] = time.monotonic
) -> Callable[[], None]:
    """Return `save`, called so seldom that it takes at most `SAVE_SHARE` of the time."""
    due = clock() + SAVE_EVERY

    def save_if_due() -> None:
        nonlocal due
        started = clock()
        if started >= due:
            save()
            ended = clock()
            due = ended + max(SAVE_EVERY, (ended - started) / SAVE_SHARE)

    return save_if_due


@contextmanager
def rare_collections() -> Iterator[None]:
    """Collect seldom inside, and leave alone what was there before.

    With Python's own settings a tenth of a run's time goes into looking, again and again, through
    everything that was imported and through what is in use for the length of a call.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(THRESHOLD, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
