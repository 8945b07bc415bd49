"""Which assignment is started next: how far each line is, and when there is enough.

Nothing here decides what is chosen, only what is tried and when: the choice is made from the
shortest settled part of each plan that fills the quota, and that part is always tried in the end.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from uaeval.synthesis.category_progress import CandidateResult, CategoryProgress
from uaeval.synthesis.select import DuplicateIndex, Selector
from uaeval.synthesis.verify import Proven
from uaeval.types import Assignment, Failure

LOWEST_RATE = 0.05
"""Acceptance that is expected at the least."""
MARGIN = 1.15
"""How much more than the expected number is asked for in one batch, so that batches are few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InFlight:
    """What was started of a line after its settled part."""

    open: int
    proven: int
    surplus: int
    """How many were started after the line would be full, if all that may be used came to be."""


class CategoryState:
    """How far one line is: the choice from its settled part, and what was started after it."""

    def __init__(self, line: CategoryProgress, shelf: DuplicateIndex) -> None:
        self.line = line
        self._end_of_batch = 0
        """How many assignments are started by then (batch mode)."""
        self.begin(shelf)

    def begin(self, shelf: DuplicateIndex) -> None:
        """Make the choice anew, from the front of the plan."""
        line = self.line
        self._outlook: InFlight | None = None
        self.choice = Selector(
            line.category, line.quota, line.per_document, shelf, given=line.given
        )
        self._settled = 0
        self._tried = 0

    def advance(self) -> list[Proven]:
        """Go on with the choice as far as the plan is settled; return what is usable of it."""
        self._outlook = None
        usable = []
        for outcome in self.line.outcomes(self._settled):
            if outcome is None or not self.choice.missing:
                break
            self._settled += 1
            self._tried += not isinstance(outcome, Failure)
            if isinstance(outcome, Proven) and self.choice.put(outcome):
                usable.append(outcome)
        return usable

    @property
    def outlook(self) -> InFlight:
        """What was started after the settled part."""
        if self._outlook is None:
            self._outlook = self._counted()
        return self._outlook

    def _counted(self) -> InFlight:
        open_, proven, surplus = 0, 0, 0
        missing = self.choice.missing
        for outcome in self.line.outcomes(self._settled):
            surplus += open_ + proven >= missing
            open_ += outcome is None
            proven += isinstance(outcome, Proven)
        return InFlight(open=open_, proven=proven, surplus=surplus)

    @property
    def rate(self) -> float:
        """The share of usable ones to expect, by the rule of succession: a half at first."""
        return max(LOWEST_RATE, (len(self.choice.usable) + 1) / (self._tried + 2))

    @property
    def wants_more(self) -> bool:
        """Whether more is wanted and the plan has more."""
        return self.choice.missing > 0 and self.line.started < len(self.line.plan)

    @property
    def finished(self) -> bool:
        """Whether it is full, or all of its plan is settled."""
        return not self.choice.missing or self._settled == len(self.line.plan)

    @property
    def reach(self) -> float:
        """What is there and expected, as a share of what is wanted."""
        there = len(self.choice.usable) + self.outlook.proven
        return (there + self.rate * self.outlook.open) / self.choice.wanted

    @property
    def found(self) -> int:
        """How much is there of what is wanted."""
        return min(self.choice.wanted, len(self.choice.usable) + self.outlook.proven)

    def within_batch(self) -> bool:
        """Say whether the batch has room; once one is settled, the next takes what is missing."""
        started = self.line.started
        if started == self._end_of_batch == self._settled:
            self._end_of_batch += math.ceil(MARGIN * self.choice.missing / self.rate)
        return started < self._end_of_batch

    def start(self) -> Assignment:
        """Return the next assignment of the plan, as started."""
        self._outlook = None
        self.line.started += 1
        return self.line.plan[self.line.started - 1]


class Scheduler:
    """The standing of every line, in category order.

    Called live, a line is gone on with for as long as it is not full, but no more than
    `concurrency` assignments in all are started that may turn out not to have been needed. In
    batch mode as many are started at once as are expected to be needed.
    """

    def __init__(self, lines: Sequence[CategoryProgress], *, concurrency: int, batch: bool) -> None:
        self._concurrency = concurrency
        self._batch = batch
        shelf: DuplicateIndex | None = None
        self._standings: list[CategoryState] = []
        for line in lines:
            shelf = DuplicateIndex(shelf)
            self._standings.append(CategoryState(line, shelf))
        self._places = {line.category: place for place, line in enumerate(lines)}

    def take(self) -> Assignment | None:
        """Start the next assignment of the line that lags most; `None` if none is to be started."""
        surplus = sum(standing.outlook.surplus for standing in self._standings)
        room = surplus < self._concurrency
        free = [
            (standing.reach, place)
            for place, standing in enumerate(self._standings)
            if standing.wants_more and self._may_start(standing, room)
        ]
        return self._standings[min(free)[1]].start() if free else None

    def _may_start(self, standing: CategoryState, room: bool) -> bool:
        if standing.line.next_waits:
            return False
        if self._batch:
            return standing.within_batch()
        outlook = standing.outlook
        return room or outlook.open + outlook.proven < standing.choice.missing

    @property
    def finished(self) -> bool:
        """Whether nothing that is still to come can change what is chosen."""
        return all(standing.finished for standing in self._standings)

    def settle(self, attempt: CandidateResult) -> None:
        """Note how an assignment ended, and go on with the choices."""
        place = self._places[attempt.assignment.category]
        standing = self._standings[place]
        standing.line.end(attempt)
        usable = standing.advance()
        for later in range(place + 1, len(self._standings)):
            shelf = self._standings[later].choice.shelf
            if any(shelf.bears_like(pair.candidate.question) for pair in usable):
                self._choose_anew(later)
                return

    def _choose_anew(self, place: int) -> None:
        """Choose again for the lines from `place` on: an earlier one has a query like theirs."""
        shelf = self._standings[place - 1].choice.shelf
        for standing in self._standings[place:]:
            shelf = DuplicateIndex(shelf)
            standing.begin(shelf)
            standing.advance()

    def found(self) -> tuple[int, int]:
        """Count what is there of what is wanted, as far as the plans can still give it."""
        found = wanted = 0
        for standing in self._standings:
            line, here = standing.line, standing.found
            possible = here + standing.outlook.open + len(line.plan) - line.started
            found += here
            wanted += min(standing.choice.wanted, possible)
        return found, wanted
