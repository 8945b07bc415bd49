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
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

from uaeval.errors import RunAborted
from uaeval.records import Assignment, Candidate, Category, Rejection
from uaeval.run.progress import ProgressListener
from uaeval.runner import Attempts, PendingRecord, keep_busy
from uaeval.synthesis.category_progress import BuildResult, CandidateResult, CategoryProgress
from uaeval.synthesis.panel import Verifying
from uaeval.synthesis.scheduler import Scheduler
from uaeval.synthesis.select import DuplicateIndex, Selection, select

THRESHOLD: Final = 20_000
"""Objects made, and not gone by themselves, after which the youngest are looked through."""
SAVE_EVERY = 5.0
"""Seconds between two saves, at the least."""
SAVE_SHARE = 0.01
"""The share of a run's time that saving may take, but for the last save."""
AHEAD = 0.5
"""Candidates under way beyond the calls in flight, as a share of these: while the reply to one is
read and kept, the question to another is ready to be sent."""


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
    work = _Worker(schedule, generate, verify)
    final = False
    saves = PeriodicSaver(lambda: save(_built(lines)))

    def done(ended: CandidateResult | None) -> None:
        nonlocal final
        if ended is None:
            return
        schedule.record(ended)
        if schedule.finished and not final:
            final = True
            on_final(_built(lines))
        progress.advanced(ended.outcome, *schedule.progress())
        saves.now_and_then()

    _, wanted = schedule.progress()
    progress.started(f"writing queries to select {sum(line.quota for line in lines)} from", wanted)
    try:
        under_way = concurrency + math.ceil(AHEAD * concurrency)
        with rare_collections():
            await keep_busy(schedule.take, work, concurrency=under_way, done=done)
        if end_now or schedule.finished:
            for line in lines:
                line.end_pending()
    finally:
        built = _built(lines)
        save(built)
    if not final:
        on_final(built)
    return built


class _Worker:
    """What is done for one assignment: a candidate is written, then verified."""

    def __init__(
        self,
        schedule: Scheduler,
        generate: Callable[[Assignment], Awaitable[Candidate | Rejection]],
        verify: Verifying,
    ) -> None:
        self._schedule = schedule
        self._generate = generate
        self._verify = verify
        self._attempts = Attempts()

    async def __call__(self, assignment: Assignment) -> CandidateResult | None:
        """Return how it ended; `None` if its candidate is no longer needed and was not written."""
        try:
            return await self._attempt(assignment)
        except RunAborted:
            if self._schedule.finished:
                return None
            raise

    async def _attempt(self, assignment: Assignment) -> CandidateResult:
        write = partial(self._generate, assignment)
        candidate = await self._attempts("generate", assignment.id, write)
        if not isinstance(candidate, Candidate):
            return CandidateResult(assignment=assignment, candidate=None, outcome=candidate)
        try:
            verify = partial(self._verify, candidate)
            outcome = await self._attempts("verify", candidate.id, verify)
        except RunAborted:
            if not self._schedule.finished:
                raise
            outcome = PendingRecord(candidate.id)
        return CandidateResult(assignment=assignment, candidate=candidate, outcome=outcome)


class PeriodicSaver:
    """Saves so seldom that saving takes at most `SAVE_SHARE` of the time."""

    def __init__(
        self, save: Callable[[], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._save = save
        self._clock = clock
        self._due = clock() + SAVE_EVERY

    def now_and_then(self) -> None:
        """Save if the last time is long enough ago."""
        started = self._clock()
        if started < self._due:
            return
        self._save()
        ended = self._clock()
        self._due = ended + max(SAVE_EVERY, (ended - started) / SAVE_SHARE)


def _built(lines: Sequence[CategoryProgress]) -> BuildResult:
    return BuildResult(lines=tuple(lines), selections=choose(lines))


def choose(lines: Sequence[CategoryProgress]) -> Mapping[Category, Selection]:
    """Select each category's quota; a query is compared with those of earlier categories."""
    duplicates: DuplicateIndex | None = None
    selections = {}
    for line in lines:
        duplicates = DuplicateIndex(duplicates)
        selections[line.category] = select(
            line.outcomes(),
            line.category,
            line.quota,
            duplicates,
            line.per_document,
            given=line.given,
            last=line.used_up,
        )
    return selections


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
