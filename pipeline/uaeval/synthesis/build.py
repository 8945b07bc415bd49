"""Work through the plan until every quota is full or the plan is used up.

Each candidate is written, checked and proven without waiting for other candidates. The selection
depends only on the plan and the replies: not on the order in which replies come, on the
concurrency, or on interruptions of the run. Each category selects from the shortest front part of
its plan whose outcomes are final and fill the quota. Pairs that were proven after that part are
spares; their number may differ from run to run.
"""

import math
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import TypeAlias

from uaeval.errors import RunAborted
from uaeval.records import Assignment, Candidate, Rejection
from uaeval.run.progress import ProgressListener
from uaeval.runner import Attempts, PendingRecord, keep_busy
from uaeval.synthesis.category_progress import (
    BuildResult,
    CandidateResult,
    CategoryProgress,
    FinalOutcome,
)
from uaeval.synthesis.select import DuplicateIndex, frames_of
from uaeval.synthesis.verify import Verifying

Authoring: TypeAlias = Callable[[Assignment], Awaitable[Candidate | Rejection]]
Completed: TypeAlias = tuple[CandidateResult, Candidate | None, FinalOutcome | PendingRecord | None]

SAVE_EVERY = 5.0
"""Seconds between two saves at least."""
SAVE_SHARE = 0.01
"""Share of the run's time that saving may take, without the last save."""
AHEAD = 0.5
"""Further candidates in progress, as a share of the calls in flight: while the reply to one call is
processed, the next call can be sent."""


class Scheduler:
    """Start assignments of the category that is furthest behind.

    In live mode a category starts as many as it is expected to need and a few more. At most
    `concurrency` assignments in all are started that may turn out to be superfluous. In batch
    mode, the number that is expected to be needed is started at once.
    """

    def __init__(
        self, categories: Sequence[CategoryProgress], *, concurrency: int, batch: bool
    ) -> None:
        self.categories = categories
        self._concurrency = concurrency
        self._batch = batch
        self._names = [category.name for category in categories]
        self._select_again(0)

    def take(self) -> CandidateResult | None:
        """Start the next assignment, return its open result; `None` if none can start now."""
        room = sum(each.in_flight.surplus for each in self.categories) < self._concurrency
        ready = [each for each in self.categories if each.may_start(batch=self._batch, room=room)]
        return min(ready, key=attrgetter("reach")).start() if ready else None

    @property
    def finished(self) -> bool:
        """Whether no further outcome can change the selection."""
        return all(category.finished for category in self.categories)

    def record(self, result: CandidateResult) -> None:
        """Record the result of an assignment, and continue the selections."""
        position = self._names.index(result.assignment.category)
        usable = self.categories[position].end(result)
        for later in range(position + 1, len(self.categories)):
            own = self.categories[later].selector.duplicates[-1]
            if any(
                frames_of(pair) & own.frames or own.has_near_duplicate(pair.candidate.question)
                for pair in usable
            ):
                self._select_again(later)
                return

    def _select_again(self, first: int) -> None:
        """Restart the selections from category number `first` on.

        A pair that a category before them selected is a near-duplicate of one of their pairs.
        """
        duplicates = self.categories[first - 1].selector.duplicates if first else ()
        for category in self.categories[first:]:
            duplicates = [*duplicates, DuplicateIndex()]
            category.select_anew(duplicates)

    def end_early(self) -> None:
        """Stop waiting for replies, and select from the pairs that are proven."""
        final = self.finished
        for category in self.categories:
            category.end_early()
        if not final:
            self._select_again(0)

    def progress(self) -> tuple[int, int]:
        """Return the numbers of proven and of wanted pairs; the second one never changes."""
        wanted = [each.quota for each in self.categories]
        proven = (len(each.selector.usable) + each.in_flight.proven for each in self.categories)
        return sum(map(min, proven, wanted)), sum(wanted)


async def build(
    categories: Sequence[CategoryProgress],
    generate: Authoring,
    verify: Verifying,
    *,
    concurrency: int,
    batch: bool,
    progress: ProgressListener,
    save: Callable[[BuildResult], None],
    on_final: Callable[[BuildResult], None],
    end_now: bool = False,
) -> BuildResult:
    """Work until every quota is full, every plan is used up, or only pending replies are left.

    `concurrency` is the number of calls in flight; a few more candidates are in progress. `save` is
    called with the state from time to time, and at the end, even after an error. `on_final` is
    called once, as soon as no outstanding reply can change the selection. With `end_now`, the
    selection is made from the proven pairs, without waiting for further replies. Raise `RunAborted`
    if the run cannot continue, and the selection is not final yet.
    """
    schedule = Scheduler(categories, concurrency=concurrency, batch=batch)
    work = partial(_complete, schedule, Attempts(), generate, verify)
    final = False
    save_if_due = now_and_then(lambda: save(BuildResult.of(categories)))

    def done(completed: Completed) -> None:
        nonlocal final
        result, candidate, outcome = completed
        if outcome is None:
            return
        result.candidate, result.outcome = candidate, outcome
        schedule.record(result)
        if schedule.finished and not final:
            final = True
            on_final(BuildResult.of(categories))
        progress.advanced(outcome, *schedule.progress())
        save_if_due()

    progress.started("writing queries", sum(category.quota for category in categories))
    try:
        in_progress = concurrency + math.ceil(AHEAD * concurrency)
        await keep_busy(schedule.take, work, concurrency=in_progress, done=done)
        if end_now or schedule.finished:
            schedule.end_early()
    finally:
        built = BuildResult.of(categories)
        save(built)
    if not final:
        on_final(built)
    return built


async def _complete(
    schedule: Scheduler,
    attempts: Attempts,
    generate: Authoring,
    verify: Verifying,
    result: CandidateResult,
) -> Completed:
    """Return a result with its candidate and its outcome.

    The outcome is `None` if the run ended before anything was written.
    """
    assignment, candidate = result.assignment, None
    try:
        written = await attempts("generate", assignment.id, partial(generate, assignment))
        if not isinstance(written, Candidate):
            return result, None, written
        candidate = written
        return result, candidate, await attempts("verify", written.id, partial(verify, written))
    except RunAborted:
        if not schedule.finished:
            raise
        return result, candidate, PendingRecord(candidate.id) if candidate else None


def now_and_then(
    save: Callable[[], None], clock: Callable[[], float] = time.monotonic
) -> Callable[[], None]:
    """Return a function that calls `save` only if `SAVE_EVERY` and `SAVE_SHARE` allow it now."""
    due = clock() + SAVE_EVERY

    def save_if_due() -> None:
        nonlocal due
        started = clock()
        if started >= due:
            save()
            ended = clock()
            due = ended + max(SAVE_EVERY, (ended - started) / SAVE_SHARE)

    return save_if_due
