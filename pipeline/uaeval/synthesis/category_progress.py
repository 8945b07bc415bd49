"""The state of a run: each category's progress through its plan, its outcomes and its selection."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Self, TypeAlias

from uaeval.records import Assignment, Blocked, Candidate, Category, Chunk, Failure, Rejection
from uaeval.runner import PendingRecord
from uaeval.synthesis.select import DuplicateIndex, Selection, Selector
from uaeval.synthesis.verify import Proven

FinalOutcome: TypeAlias = Proven | Rejection | Failure | Blocked
"""Outcomes that do not change in this session."""

LOWEST_RATE = 0.05
"""Lowest acceptance rate that is expected."""
MARGIN = 1.2
"""Attempts that may be open for each one that is expected to be needed: the end of a run then waits
less often for one more round of calls."""
MOST_PER_MISSING = 3
"""Assignments that a batch may take for each missing pair, however few were accepted so far."""
MOST_GROWTH = 0.5
"""What it may take instead, as a share of those tried before: so the number of batches is small."""
_UNVERIFIED: Final = {
    "check": "unverified",
    "rationale": "the run ended before its verdict, which was not needed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateResult:
    """The outcome of one assignment."""

    assignment: Assignment
    candidate: Candidate | None
    """`None` when nothing was written."""
    outcome: FinalOutcome | PendingRecord


class InFlight(NamedTuple):
    """Assignments of a category that were started after the final part of its plan."""

    open: int
    proven: int
    rejected: int
    surplus: int
    """How many were started after the quota would be full, if every open one were proven."""


@dataclass(slots=True, kw_only=True)
class CategoryProgress:
    """The progress of one category through its plan, and the selection from its final part."""

    category: Category
    quota: int
    plan: Sequence[Assignment]
    per_document: int
    once: bool = False
    """Whether a passage is left out of the rest of the plan once a candidate from it is rejected:
    the offline engine would write the like again."""
    given: bool = False
    """Whether the user brought these queries: none is passed over for variety."""
    started: int = 0
    """Assignments that were started, from the front of the plan."""
    settled: int = field(init=False)
    """Assignments whose outcomes are final and were selected from, from the front of the plan."""
    ended: dict[str, CandidateResult] = field(default_factory=dict)
    """By the assignment's id; without those in flight."""
    selector: Selector = field(init=False)
    _tried: int = field(init=False)
    """Those of the settled assignments that did not fail."""
    _in_flight: InFlight | None = field(init=False, default=None)
    _to_start: Counter[str] = field(init=False)
    """Assignments that are left in the plan, by passage; counted only for `once`."""
    _end_of_batch: int = 0
    """Assignments that are started when the batch ends (batch mode)."""

    def __post_init__(self) -> None:
        self._to_start = Counter(each.chunk.id for each in (self.plan if self.once else ()))
        self.select_anew(DuplicateIndex())

    def start(self) -> Assignment:
        """Start the next assignment of the plan and return it."""
        assignment = self.plan[self.started]
        self.started += 1
        self._to_start[assignment.chunk.id] -= 1
        self._in_flight = None
        return assignment

    @property
    def attempts(self) -> list[CandidateResult]:
        """The results so far, in plan order."""
        started = self.plan[: self.started]
        return [self.ended[each.id] for each in started if each.id in self.ended]

    def outcomes(self, place: int = 0) -> Iterator[FinalOutcome | None]:
        """Yield the outcome of each assignment started, from `place` on; `None` while it is open.

        An assignment is open while it is in flight or waits for a batch.
        """
        for assignment in self.plan[place : self.started]:
            attempt = self.ended.get(assignment.id)
            outcome = attempt.outcome if attempt else None
            yield None if isinstance(outcome, PendingRecord) else outcome

    def end(self, attempt: CandidateResult) -> list[Proven]:
        """Record how an assignment ended; return the pairs that are usable by that."""
        passage = attempt.assignment.chunk.id
        self.ended[attempt.assignment.id] = attempt
        if self.once and isinstance(attempt.outcome, Rejection) and self._to_start[passage]:
            left = (each for each in self.plan[self.started :] if each.chunk.id != passage)
            self.plan = (*self.plan[: self.started], *left)
            self._to_start[passage] = 0
        return self._advance()

    def end_early(self) -> None:
        """Cut the plan after what was started; its selection is to be made anew.

        Candidates whose verdict is pending are rejected, assignments without a candidate dropped.
        """
        kept = []
        for assignment in self.plan[: self.started]:
            result = self.ended.get(assignment.id)
            if result and isinstance(result.outcome, PendingRecord):
                if result.candidate is None:
                    del self.ended[assignment.id]
                    continue
                self.ended[assignment.id] = replace(
                    result, outcome=Rejection(id=assignment.id, **_UNVERIFIED)
                )
            kept.append(assignment)
        self.plan = kept
        self.started = len(kept)

    # --- the selection --------------------------------------------------------------------------

    def select_anew(self, duplicates: DuplicateIndex) -> None:
        """Select again, from the front of the plan."""
        self.selector = Selector(
            self.category, self.quota, self.per_document, duplicates, given=self.given
        )
        self.settled = self._tried = 0
        self._advance()

    def _advance(self) -> list[Proven]:
        """Continue the selection through the final part of the plan; return new usable pairs."""
        self._in_flight = None
        usable = []
        for outcome in self.outcomes(self.settled):
            if outcome is None or not self.selector.missing:
                break
            self.settled += 1
            self._tried += not isinstance(outcome, Failure)
            if isinstance(outcome, Proven) and self.selector.put(outcome):
                usable.append(outcome)
        if self.settled == len(self.plan):
            usable += self.selector.release()
        return usable

    def selection(self) -> Selection:
        """Return the selection so far; what was proven after a full quota is spare."""
        full = not self.selector.missing
        later = (each for each in self.outcomes(self.settled) if full and isinstance(each, Proven))
        return self.selector.selection(tuple(later), failed=self.settled - self._tried)

    @property
    def finished(self) -> bool:
        """Whether the quota is full, or the whole plan is final."""
        return not self.selector.missing or self.settled == len(self.plan)

    # --- what is under way ----------------------------------------------------------------------

    @property
    def in_flight(self) -> InFlight:
        """What was started after the final part of the plan."""
        if self._in_flight is None:
            open_, proven, rejected, surplus = 0, 0, 0, 0
            for outcome in self.outcomes(self.settled):
                surplus += open_ + proven >= self.selector.missing
                open_ += outcome is None
                proven += isinstance(outcome, Proven)
                rejected += isinstance(outcome, Rejection)
            self._in_flight = InFlight(open_, proven, rejected, surplus)
        return self._in_flight

    @property
    def reach(self) -> float:
        """Proven and expected pairs, as a share of those wanted.

        The expected share of usable pairs is that of the rule of succession: a half at first.
        """
        usable, in_flight = len(self.selector.usable), self.in_flight
        rate = max(LOWEST_RATE, (usable + 1) / (self._tried + 2))
        return (usable + in_flight.proven + rate * in_flight.open) / self.selector.wanted

    def may_start(self, *, batch: bool, room: bool) -> bool:
        """Return whether the next assignment may start; `room` says for one that may be too many.

        It waits if the open ones are expected to be enough, or if it depends on how an open one
        from the same passage ends.
        """
        missing, in_flight = self.selector.missing, self.in_flight
        within = self._within_batch() if batch else missing > 0 and self.started < len(self.plan)
        if not within or (self.once and self._has_open(self.plan[self.started].chunk)):
            return False
        if batch or in_flight.open + in_flight.proven < missing:
            return True
        return room and in_flight.open < MARGIN * self._expected_attempts

    @property
    def _expected_attempts(self) -> float:
        """Return how many attempts the missing pairs are expected to take, open ones included."""
        proven, rejected = self.in_flight.proven, self.in_flight.rejected
        usable, tried = len(self.selector.usable) + proven, self._tried + proven + rejected
        return expected_attempts(self.selector.wanted - usable, usable, tried)

    def _has_open(self, passage: Chunk) -> bool:
        """Return whether an assignment from this passage was started and has not ended."""
        started = self.plan[self.settled : self.started]
        return any(each.chunk.id == passage.id and each.id not in self.ended for each in started)

    def _within_batch(self) -> bool:
        """Return whether the batch has room; a new one opens when all of the last are final.

        A batch is started whole, even if the quota is full before its end: its requests were made
        in an earlier session, and each of their answers has its record.
        """
        if self.started == self._end_of_batch == self.settled and self.selector.missing:
            usable = len(self.selector.usable)
            self._end_of_batch += batch_size(self.selector.missing, usable, self._tried)
        return self.started < min(self._end_of_batch, len(self.plan))


def expected_attempts(missing: int, proven: int, tried: int) -> float:
    """Return how many attempts prove `missing` pairs, if they go as `proven` of `tried` did.

    Nine in ten are expected at first.
    """
    return missing * (tried + 5) / (proven + 4.5)


def batch_size(missing: int, usable: int = 0, tried: int = 0) -> int:
    """Return how many assignments a batch takes to prove `missing` pairs."""
    needed = math.ceil(expected_attempts(missing, usable, tried))
    return min(needed, max(MOST_PER_MISSING * missing, int(MOST_GROWTH * tried)))


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """All results, and the selection from them."""

    lines: tuple[CategoryProgress, ...]
    selections: Mapping[Category, Selection]

    @classmethod
    def of(cls, lines: Sequence[CategoryProgress]) -> Self:
        """Return the results so far."""
        selections = {line.category: line.selection() for line in lines}
        return cls(lines=tuple(lines), selections=selections)

    @property
    def waiting(self) -> int:
        """Assignments that wait for a batch and may change the selection."""
        return sum(
            isinstance(each.outcome, PendingRecord)
            for line in self.lines
            if self.selections[line.category].missing
            for each in line.ended.values()
        )

    @property
    def lacking(self) -> bool:
        """Whether calls failed that were wanted: asking them again may change the selection."""
        return any(selection.failed for selection in self.selections.values())
