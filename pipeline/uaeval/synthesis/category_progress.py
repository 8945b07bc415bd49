"""The state of a run: each category's progress through its plan, its outcomes and its selection."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self, TypeAlias

from uaeval.records import Assignment, Blocked, Candidate, Category, Failure, Rejection
from uaeval.runner import PendingRecord, of_kind
from uaeval.synthesis.select import (
    HELD,
    HELD_ODD,
    HELD_OFFLINE,
    DuplicateIndex,
    Selection,
    Selector,
)
from uaeval.synthesis.verify import Proven

FinalOutcome: TypeAlias = Proven | Rejection | Failure | Blocked
"""Outcomes that no later reply of this session can change."""

LOWEST_RATE = 0.05
"""Acceptance rate that is assumed at least, however few candidates were accepted so far."""
SPARE = 0.02
"""Open assignments besides those that are expected to be needed, as a share of the quota: with a
large quota, a run then seldom waits at its end for one more round of calls."""
MOST_PER_MISSING = 3
"""Assignments per missing pair that any batch may start."""
MOST_GROWTH = 0.5
"""Assignments that a batch may start instead, if that is more, as a share of those tried before."""
_UNVERIFIED: Final = "the run ended before its verdict, which was not needed"


@dataclass(slots=True)
class CandidateResult:
    """The outcome of one assignment that was started."""

    assignment: Assignment
    candidate: Candidate | None = None
    """`None` if the author wrote none."""
    outcome: FinalOutcome | PendingRecord | None = None
    """`None` while the assignment is in flight."""


class InFlight(NamedTuple):
    """Counts of a category's started assignments that the selector was not offered yet."""

    open: int
    """Assignments without a final outcome."""
    proven: int
    rejected: int
    surplus: int
    """Assignments that are superfluous if every open one before them is proven."""


@dataclass(slots=True, kw_only=True)
class CategoryProgress:
    """The progress of one category through its plan, and the selection from its outcomes."""

    name: Category
    quota: int
    plan: Sequence[Assignment]
    per_document: int
    skip_rejected: bool = False
    """Whether a passage is skipped once a candidate from it is rejected, because the offline engine
    would write a similar candidate again."""
    calls: int = 2
    """Calls that an assignment makes one after the other."""
    user_queries: bool = False
    """Whether these are the user's own queries: none is passed over for variety."""
    started: list[CandidateResult] = field(default_factory=list)
    """The results of the assignments that were started, in plan order."""
    offered: int = field(init=False)
    """Number of assignments, from the front of `started`, whose final outcome was offered to the
    selector."""
    selector: Selector = field(init=False)
    _next: int = 0
    """Position in the plan of the next assignment to start."""
    _skipped: set[str] = field(default_factory=set)
    """Ids of the passages that are skipped."""
    failed: int = field(init=False)
    """Number of calls that failed before the quota was full; their pairs might be selected."""
    _in_flight: InFlight | None = field(init=False, default=None)
    _end_of_batch: int = 0
    """Number of assignments that are started when the current batch is complete (batch mode)."""

    def __post_init__(self) -> None:
        self.select_anew([DuplicateIndex()])

    def start(self) -> CandidateResult:
        """Start the next assignment of the plan; return its result, which is still open."""
        result = CandidateResult(self.plan[self._next])
        self.started.append(result)
        self._move_to(self._next + 1)
        self._in_flight = None
        return result

    def _move_to(self, position: int) -> None:
        """Continue the plan from a position, or after it where passages are skipped."""
        while position < len(self.plan) and self.plan[position].chunk.id in self._skipped:
            position += 1
        self._next = position

    def _outcomes(self) -> Iterator[FinalOutcome | None]:
        """Yield the outcomes that were not offered; `None` for assignments in flight or waiting."""
        for result in self.started[self.offered :]:
            yield None if isinstance(result.outcome, PendingRecord) else result.outcome

    def end(self, result: CandidateResult) -> list[Proven]:
        """Continue the selection with a new result; return the pairs that became usable by it."""
        if self.skip_rejected and isinstance(result.outcome, Rejection):
            self._skipped.add(result.assignment.chunk.id)
            self._move_to(self._next)
        return self._advance()

    def end_early(self) -> None:
        """Start no further assignment; the caller then calls `select_anew` if it is not `finished`.

        Candidates with a pending verdict are rejected, assignments without a candidate removed.
        """
        for result in self.started:
            if isinstance(result.outcome, PendingRecord) and result.candidate:
                id_ = result.assignment.id
                result.outcome = Rejection(id=id_, check="unverified", rationale=_UNVERIFIED)
        self.started = [
            each for each in self.started if not isinstance(each.outcome, PendingRecord)
        ]
        self._next, self._in_flight = len(self.plan), None

    def select_anew(self, duplicates: Sequence[DuplicateIndex]) -> None:
        """Restart the selection from the front of the plan, against other `duplicates`."""
        self.selector = Selector(
            self.name,
            self.quota,
            self.per_document,
            duplicates,
            user_queries=self.user_queries,
            held_share=HELD_OFFLINE if self.skip_rejected else HELD,
            odd_share=HELD_ODD if self.calls == 2 else 0.0,  # with more, pairs are too dear
        )
        self.offered = self.failed = 0
        self._advance()

    def _advance(self) -> list[Proven]:
        """Offer the next final outcomes to the selector; return the pairs that became usable."""
        self._in_flight = None
        usable = []
        for outcome in self._outcomes():
            if outcome is None or not self.selector.missing:
                break
            self.offered += 1
            self.failed += isinstance(outcome, Failure)
            if isinstance(outcome, Proven) and self.selector.put(outcome):
                usable.append(outcome)
        return [*usable, *self.selector.release()] if self._exhausted else usable

    @property
    def _exhausted(self) -> bool:
        """Whether every outcome of the plan was offered."""
        return self._next == len(self.plan) and self.offered == len(self.started)

    @property
    def finished(self) -> bool:
        """Whether the quota is full, or every outcome of the plan is final."""
        return not self.selector.missing or self._exhausted

    def selection(self) -> Selection:
        """Return the selection so far; pairs proven after the quota was full are spares."""
        later = () if self.selector.missing else self._outcomes()
        return self.selector.selection(of_kind(later, Proven))

    @property
    def in_flight(self) -> InFlight:
        """Counts of the assignments that were started and not offered yet."""
        if self._in_flight is None:
            open_, proven, rejected, surplus = 0, 0, 0, 0
            for outcome in self._outcomes():
                surplus += open_ + proven >= self.selector.missing
                open_ += outcome is None
                proven += isinstance(outcome, Proven)
                rejected += isinstance(outcome, Rejection)
            self._in_flight = InFlight(open_, proven, rejected, surplus)
        return self._in_flight

    @property
    def reach(self) -> float:
        """Proven and expected pairs, as a share of the wanted pairs.

        The rule of succession gives the expected share of usable pairs: one half at first. Open
        assignments count less if they make more calls: their category then starts ahead, and ends
        with the others.
        """
        usable, in_flight = len(self.selector.usable), self.in_flight
        rate = max(LOWEST_RATE, (usable + 1) / (self.offered - self.failed + 2))
        expected = rate * in_flight.open * 2 / self.calls
        return (usable + in_flight.proven + expected) / self.quota

    def may_start(self, *, batch: bool, room: bool) -> bool:
        """Return whether the next assignment may start; `room` allows a superfluous one.

        It waits if the open assignments are expected to suffice, or if one of them is from the same
        passage and might have it skipped.
        """
        missing, (open_, proven, rejected, _) = self.selector.missing, self.in_flight
        wanted = self._within_batch() if batch else missing > 0
        if not wanted or self._next == len(self.plan):
            return False
        if self.skip_rejected:
            passage = self.plan[self._next].chunk.id
            open_results = (each for each in self.started[self.offered :] if each.outcome is None)
            if any(result.assignment.chunk.id == passage for result in open_results):
                return False
        if batch or open_ + proven < missing:
            return True
        tried = self.offered - self.failed + proven + rejected
        usable = len(self.selector.usable) + proven
        needed = expected_attempts(self.quota - usable, usable, tried)
        return room and open_ + 1 <= needed + SPARE * self.quota

    def _within_batch(self) -> bool:
        """Return whether the batch has assignments to start.

        The next batch opens when every outcome of the last one is final. All assignments of a batch
        are started, even if the quota is full earlier: their requests were sent in an earlier
        session, and each reply gets its record.
        """
        if len(self.started) == self._end_of_batch == self.offered and self.selector.missing:
            usable, tried = len(self.selector.usable), self.offered - self.failed
            self._end_of_batch += batch_size(self.selector.missing, usable, tried)
        return len(self.started) < self._end_of_batch


def expected_attempts(missing: int, proven: int, tried: int) -> float:
    """Return how many attempts prove `missing` pairs, if they go as `proven` of `tried` did.

    Nine in ten are expected at first.
    """
    return missing * (tried + 5) / (proven + 4.5)


def batch_size(missing: int, usable: int = 0, tried: int = 0) -> int:
    """Return how many assignments a batch takes to prove `missing` pairs."""
    needed = math.ceil(expected_attempts(missing, usable, tried))
    return min(needed, max(MOST_PER_MISSING * missing, int(MOST_GROWTH * tried)))


@dataclass(frozen=True, slots=True)
class BuildResult:
    """All results, and the selection from them."""

    categories: tuple[CategoryProgress, ...]
    selections: Mapping[Category, Selection]

    @classmethod
    def of(cls, categories: Sequence[CategoryProgress]) -> Self:
        """Return the results so far."""
        return cls(tuple(categories), {each.name: each.selection() for each in categories})

    @property
    def waiting(self) -> int:
        """Number of assignments that wait for a batch and may change the selection."""
        return sum(
            isinstance(result.outcome, PendingRecord)
            for category in self.categories
            if self.selections[category.name].missing
            for result in category.started
        )

    @property
    def lacking(self) -> bool:
        """Whether calls failed before a quota was full: retrying may change the selection."""
        return any(category.failed for category in self.categories)
