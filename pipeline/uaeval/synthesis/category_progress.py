"""The state of a run: each category's way through its plan, and what became of each assignment."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from uaeval.runner import PendingRecord
from uaeval.synthesis.select import Selection
from uaeval.synthesis.verify import Proven
from uaeval.types import Assignment, Blocked, Candidate, Category, Failure, Rejection

FinalOutcome: TypeAlias = Proven | Rejection | Failure | Blocked
"""Outcomes that are there to stay in this sitting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateResult:
    """What became of one assignment."""

    assignment: Assignment
    candidate: Candidate | None
    """`None` when nothing was written."""
    outcome: FinalOutcome | PendingRecord


@dataclass(slots=True, kw_only=True)
class CategoryProgress:
    """One category's way through its plan."""

    category: Category
    quota: int
    plan: Sequence[Assignment]
    per_document: int
    once: bool = False
    """Whether a passage is left out of the rest of the plan once a candidate from it is rejected:
    the offline engine would write the like again."""
    given: bool = False
    """Whether the user brought these queries: none is passed over for the sake of variety."""
    started: int = 0
    """How many assignments were started, from the front of the plan."""
    ended: dict[str, CandidateResult] = field(default_factory=dict)
    """By the assignment's id; what is under way is not among them."""

    @property
    def attempts(self) -> list[CandidateResult]:
        """What has ended, in plan order."""
        started = self.plan[: self.started]
        return [self.ended[one.id] for one in started if one.id in self.ended]

    def outcomes(self, place: int = 0) -> Iterator[FinalOutcome | None]:
        """Yield what became of each assignment started, from `place` on; `None` while it is open.

        Open is what is under way, and what waits for the answer to a batch.
        """
        for assignment in self.plan[place : self.started]:
            attempt = self.ended.get(assignment.id)
            outcome = attempt.outcome if attempt else None
            yield None if isinstance(outcome, PendingRecord) else outcome

    @property
    def next_waits(self) -> bool:
        """Whether the next assignment depends on how an open one from the same passage ends."""
        if not self.once:
            return False
        chunk = self.plan[self.started].chunk.id
        earlier = self.plan[: self.started]
        return any(one.chunk.id == chunk and one.id not in self.ended for one in earlier)

    def end(self, attempt: CandidateResult) -> None:
        """Note how an assignment ended."""
        self.ended[attempt.assignment.id] = attempt
        if self.once and isinstance(attempt.outcome, Rejection):
            spent, started = attempt.assignment.chunk.id, self.plan[: self.started]
            left = (one for one in self.plan[self.started :] if one.chunk.id != spent)
            self.plan = (*started, *left)

    @property
    def proven(self) -> list[Proven]:
        """What passed every check, in plan order."""
        return [outcome for outcome in self.outcomes() if isinstance(outcome, Proven)]

    @property
    def waiting(self) -> int:
        """How many answers are still to come (batch mode)."""
        return sum(isinstance(one.outcome, PendingRecord) for one in self.ended.values())

    @property
    def failed(self) -> int:
        """How many calls failed; they say nothing of the acceptance rate."""
        return sum(isinstance(one.outcome, Failure) for one in self.ended.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """All attempts and what was chosen of them."""

    lines: tuple[CategoryProgress, ...]
    selections: Mapping[Category, Selection]

    @property
    def waiting(self) -> int:
        """How many answers are still to come that may change what is chosen (batch mode)."""
        return sum(line.waiting for line in self.lines if self.selections[line.category].missing)

    @property
    def lacking(self) -> bool:
        """Whether a category falls short and some of its calls failed: asking again may help."""
        return any(
            line.failed and len(self.selections[line.category].chosen) < line.quota
            for line in self.lines
        )
