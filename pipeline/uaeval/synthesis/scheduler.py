"""Schedule assignments: which one starts next, and when every category has enough.

This decides what is tried and when, not what is selected: the selection is made from the shortest
final part of each plan that fills the quota, and that part is always tried in the end.
"""

from collections.abc import Sequence

from uaeval.records import Assignment
from uaeval.synthesis.category_progress import CandidateResult, CategoryProgress
from uaeval.synthesis.select import DuplicateIndex


class Scheduler:
    """Start assignments of the category that is furthest behind.

    In live mode a category continues until it is full, but at most `concurrency` assignments in
    all are started that may turn out to be superfluous. In batch mode, the number that is expected
    to be needed is started at once.
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
        """Return the proven pairs, and those wanted that the plans can still provide."""
        done = wanted = 0
        for line in self.lines:
            most, in_flight = line.selector.wanted, line.in_flight
            proven = min(most, len(line.selector.usable) + in_flight.proven)
            done += proven
            wanted += min(most, proven + in_flight.open + len(line.plan) - line.started)
        return done, wanted
