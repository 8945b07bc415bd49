"""The state of a run: each category's progress through its plan, and its outcomes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from uaeval.records import Assignment, Blocked, Candidate, Category, Failure, Rejection
from uaeval.runner import PendingRecord
from uaeval.synthesis.select import Selection
from uaeval.synthesis.verify import Proven

FinalOutcome: TypeAlias = Proven | Rejection | Failure | Blocked
"""Outcomes that do not change in this session."""


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


@dataclass(slots=True, kw_only=True)
class CategoryProgress:
    """The progress of one category through its plan."""

    category: Category
    quota: int
    plan: Sequence[Assignment]
    per_document: int
    once: bool = False
    """Whether a passage is left out of the rest of the plan once a candidate from it is rejected:
    the offline engine would write the like again."""
    given: bool = False
    """Whether the user brought these queries: none is passed over for variety."""
    ended_early: bool = False
    """Whether no more of the plan is tried, though some is left."""
    started: int = 0
    """Assignments that were started, from the front of the plan."""
    ended: dict[str, CandidateResult] = field(default_factory=dict)
    """By the assignment's id; without those in flight."""
    _in_flight: Counter[str] = field(init=False, default_factory=Counter)
    """Assignments that were started and have not ended, by passage."""
    _to_start: Counter[str] = field(init=False)
    """Assignments that are left in the plan, by passage."""

    def __post_init__(self) -> None:
        self._to_start = Counter(each.chunk.id for each in self.plan)

    def start(self) -> Assignment:
        """Start the next assignment of the plan and return it."""
        assignment = self.plan[self.started]
        self.started += 1
        self._to_start[assignment.chunk.id] -= 1
        self._in_flight[assignment.chunk.id] += 1
        return assignment

    @property
    def used_up(self) -> bool:
        """Whether no assignment is left to start."""
        return self.ended_early or self.started == len(self.plan)

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

    @property
    def next_waits(self) -> bool:
        """Whether the next assignment depends on how an open one from the same passage ends."""
        return self.once and self._in_flight[self.plan[self.started].chunk.id] > 0

    def end(self, attempt: CandidateResult) -> None:
        """Record how an assignment ended."""
        passage = attempt.assignment.chunk.id
        if attempt.assignment.id not in self.ended:
            self._in_flight[passage] -= 1
        self.ended[attempt.assignment.id] = attempt
        if self.once and isinstance(attempt.outcome, Rejection) and self._to_start[passage]:
            left = (each for each in self.plan[self.started :] if each.chunk.id != passage)
            self.plan = (*self.plan[: self.started], *left)
            self._to_start[passage] = 0

    def end_pending(self) -> None:
        """Reject candidates whose verdict is pending; drop assignments without a candidate."""
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
        self.plan = (*kept, *self.plan[self.started :])
        self.started = len(kept)
        self.ended_early = True

    @property
    def proven(self) -> list[Proven]:
        """The pairs that passed every check, in plan order."""
        return [outcome for outcome in self.outcomes() if isinstance(outcome, Proven)]

    @property
    def waiting(self) -> int:
        """Assignments that wait for a batch."""
        return sum(isinstance(each.outcome, PendingRecord) for each in self.ended.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """All results, and the selection from them."""

    lines: tuple[CategoryProgress, ...]
    selections: Mapping[Category, Selection]

    @property
    def waiting(self) -> int:
        """Assignments that wait for a batch and may change the selection."""
        return sum(line.waiting for line in self.lines if self.selections[line.category].missing)

    @property
    def lacking(self) -> bool:
        """Whether calls failed that were wanted: asking them again may change the selection."""
        return any(selection.failed for selection in self.selections.values())
