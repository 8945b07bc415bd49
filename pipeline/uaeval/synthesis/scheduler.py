"""Schedule assignments: which one starts next, and when every category has enough.

This decides what is tried and when, not what is selected: the selection is made from the shortest
final part of each plan that fills the quota, and that part is always tried in the end.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from uaeval.records import Assignment, Failure
from uaeval.synthesis.category_progress import CandidateResult, CategoryProgress
from uaeval.synthesis.select import DuplicateIndex, Selector
from uaeval.synthesis.verify import Proven

LOWEST_RATE = 0.05
"""Lowest acceptance rate that is expected."""
MOST_PER_MISSING = 3
"""Assignments that a batch may take for each missing pair, however few were accepted so far."""
MOST_GROWTH = 0.5
"""What it may take instead, as a share of those tried before: so the number of batches is small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InFlight:
    """Assignments of a category that were started after the final part of its plan."""

    open: int
    proven: int
    surplus: int
    """How many were started after the quota would be full, if every open one were proven."""


class CategoryState:
    """The state of one category: the selection from the final part of its plan, and the rest."""

    def __init__(self, line: CategoryProgress, duplicates: DuplicateIndex) -> None:
        self.line = line
        self._end_of_batch = 0
        """Assignments that are started when the batch ends (batch mode)."""
        self.begin(duplicates)

    def begin(self, duplicates: DuplicateIndex) -> None:
        """Select again, from the front of the plan."""
        line = self.line
        self._in_flight: InFlight | None = None
        self.selector = Selector(
            line.category, line.quota, line.per_document, duplicates, given=line.given
        )
        self._settled = 0
        self._tried = 0

    def advance(self) -> list[Proven]:
        """Continue the selection through the final part of the plan; return new usable pairs."""
        self._in_flight = None
        usable = []
        for outcome in self.line.outcomes(self._settled):
            if outcome is None or not self.selector.missing:
                break
            self._settled += 1
            self._tried += not isinstance(outcome, Failure)
            if isinstance(outcome, Proven) and self.selector.put(outcome):
                usable.append(outcome)
        if self._settled == len(self.line.plan):
            usable += self.selector.release()
        return usable

    @property
    def in_flight(self) -> InFlight:
        """What was started after the final part of the plan."""
        if self._in_flight is None:
            open_, proven, surplus = 0, 0, 0
            for outcome in self.line.outcomes(self._settled):
                surplus += open_ + proven >= self.selector.missing
                open_ += outcome is None
                proven += isinstance(outcome, Proven)
            self._in_flight = InFlight(open=open_, proven=proven, surplus=surplus)
        return self._in_flight

    @property
    def rate(self) -> float:
        """The expected share of usable pairs, by the rule of succession: a half at first."""
        return max(LOWEST_RATE, (len(self.selector.usable) + 1) / (self._tried + 2))

    @property
    def wants_more(self) -> bool:
        """Whether the quota is unfilled and assignments remain."""
        return self.selector.missing > 0 and self.line.started < len(self.line.plan)

    @property
    def finished(self) -> bool:
        """Whether the quota is full, or the whole plan is final."""
        return not self.selector.missing or self._settled == len(self.line.plan)

    @property
    def reach(self) -> float:
        """Proven and expected pairs, as a share of those wanted."""
        proven = len(self.selector.usable) + self.in_flight.proven
        return (proven + self.rate * self.in_flight.open) / self.selector.wanted

    @property
    def proven(self) -> int:
        """Proven pairs, at most those wanted."""
        return min(self.selector.wanted, len(self.selector.usable) + self.in_flight.proven)

    def within_batch(self) -> bool:
        """Return whether the batch has room; a new one opens when all of the last are final.

        A batch is started whole, even if the quota is full before its end: its requests were made
        in an earlier session, and each of their answers has its record.
        """
        started = self.line.started
        if started == self._end_of_batch == self._settled and self.selector.missing:
            usable = len(self.selector.usable)
            self._end_of_batch += batch_size(self.selector.missing, usable, self._tried)
        return started < min(self._end_of_batch, len(self.line.plan))

    def start(self) -> Assignment:
        """Start the next assignment of the plan and return it."""
        self._in_flight = None
        return self.line.start()


def batch_size(missing: int, usable: int = 0, tried: int = 0) -> int:
    """Return how many assignments a batch takes to prove `missing` pairs.

    The acceptance so far, `usable` of `tried`, decides; three in four are expected at first.
    """
    needed = math.ceil(missing * (tried + 4) / (usable + 3))
    return min(needed, max(MOST_PER_MISSING * missing, int(MOST_GROWTH * tried)))


class Scheduler:
    """Start assignments of the category that is furthest behind.

    In live mode a category continues until it is full, but at most `concurrency` assignments in
    all are started that may turn out to be superfluous. In batch mode, the number that is expected
    to be needed is started at once.
    """

    def __init__(self, lines: Sequence[CategoryProgress], *, concurrency: int, batch: bool) -> None:
        self._concurrency = concurrency
        self._batch = batch
        duplicates: DuplicateIndex | None = None
        self._states: list[CategoryState] = []
        for line in lines:
            duplicates = DuplicateIndex(duplicates)
            self._states.append(CategoryState(line, duplicates))
        self._places = {line.category: place for place, line in enumerate(lines)}

    def take(self) -> Assignment | None:
        """Start and return the next assignment; `None` if none can start now."""
        surplus = sum(state.in_flight.surplus for state in self._states)
        room = surplus < self._concurrency
        free = [
            (state.reach, place)
            for place, state in enumerate(self._states)
            if self._may_start(state, room)
        ]
        return self._states[min(free)[1]].start() if free else None

    def _may_start(self, state: CategoryState, room: bool) -> bool:
        if self._batch:
            return state.within_batch() and not state.line.next_waits
        if not state.wants_more or state.line.next_waits:
            return False
        in_flight = state.in_flight
        return room or in_flight.open + in_flight.proven < state.selector.missing

    @property
    def finished(self) -> bool:
        """Whether no further outcome can change the selection."""
        return all(state.finished for state in self._states)

    def record(self, attempt: CandidateResult) -> None:
        """Record how an assignment ended, and continue the selections."""
        place = self._places[attempt.assignment.category]
        state = self._states[place]
        state.line.end(attempt)
        usable = state.advance()
        for later in range(place + 1, len(self._states)):
            duplicates = self._states[later].selector.duplicates
            if any(map(duplicates.has_own, usable)):
                self._select_again(later)
                return

    def _select_again(self, place: int) -> None:
        """Select again from category `place` on: an earlier one has the like of theirs."""
        duplicates = self._states[place - 1].selector.duplicates
        for state in self._states[place:]:
            duplicates = DuplicateIndex(duplicates)
            state.begin(duplicates)
            state.advance()

    def progress(self) -> tuple[int, int]:
        """Return the proven pairs, and those wanted to select from, which stay as many."""
        proven = sum(state.proven for state in self._states)
        return proven, sum(state.selector.wanted for state in self._states)
