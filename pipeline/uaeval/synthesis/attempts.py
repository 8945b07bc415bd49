"""The state of a run: each category's way through its plan, and what became of each assignment."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from uaeval.runner import Waiting
from uaeval.synthesis.select import Selection
from uaeval.synthesis.verify import Proven
from uaeval.types import Assignment, Blocked, Candidate, Category, Failure, Rejection

FIRST_RATE = 0.5
"""Acceptance that is assumed before anything was observed."""
LOWEST_RATE = 0.05
MARGIN = 1.15
"""How much more than the expected number is started, so that rounds are few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What became of one assignment."""

    assignment: Assignment
    candidate: Candidate | None
    """`None` when nothing was written."""
    outcome: Proven | Rejection | Failure | Blocked | Waiting


@dataclass(slots=True, kw_only=True)
class Line:
    """One category's way through its plan."""

    category: Category
    quota: int
    plan: Sequence[Assignment]
    per_document: int
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def proven(self) -> list[Proven]:
        """What passed every check, in plan order."""
        return [one.outcome for one in self.attempts if isinstance(one.outcome, Proven)]

    @property
    def waiting(self) -> int:
        """How many answers are still to come (batch mode)."""
        return sum(isinstance(one.outcome, Waiting) for one in self.attempts)

    def next_up(self, selection: Selection) -> Sequence[Assignment]:
        """Return the assignments to start now, by the acceptance rate observed so far."""
        tried = len(self.attempts)
        settled = tried - self.failed
        rate = max(LOWEST_RATE, selection.usable / settled) if settled else FIRST_RATE
        count = math.ceil(MARGIN * selection.missing / rate)
        return self.plan[tried : tried + count]

    @property
    def failed(self) -> int:
        """How many calls failed; they say nothing of the acceptance rate."""
        return sum(isinstance(one.outcome, Failure) for one in self.attempts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """All attempts and what was chosen of them."""

    lines: tuple[Line, ...]
    selections: Mapping[Category, Selection]

    @property
    def waiting(self) -> int:
        """How many answers are still to come (batch mode)."""
        return sum(line.waiting for line in self.lines)

    @property
    def lacking(self) -> bool:
        """Whether a category falls short and some of its calls failed: asking again may help."""
        return any(
            line.failed and len(self.selections[line.category].chosen) < line.quota
            for line in self.lines
        )
