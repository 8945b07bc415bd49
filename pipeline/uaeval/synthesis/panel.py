"""Several independent verifications of one candidate, of which the majority decides."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from uaeval.llm.votes import count_votes, majority, votes_text
from uaeval.runner import all_of
from uaeval.synthesis.verify import Proven
from uaeval.types import Candidate, Check, Rejection

Verifying: TypeAlias = Callable[[Candidate], Awaitable[Proven | Rejection]]

PROVEN = "proven"
NO_MAJORITY = "no_majority"


@dataclass(frozen=True, slots=True)
class Panel:
    """Check one candidate with every member; fails closed.

    A member votes that the candidate is proven, or for the check that it fails. More than half of
    them must prove it.
    """

    members: tuple[Verifying, ...]

    async def __call__(self, candidate: Candidate) -> Proven | Rejection:
        """Return the outcome of the majority, or a rejection if there is none.

        Raises:
            RecordError: a verifier could not be asked, or its reply makes no sense; not a vote.
            PendingReply: a reply comes in a later batch.
        """
        outcomes = await all_of([verify(candidate) for verify in self.members])
        labels = [_label(outcome) for outcome in outcomes]
        winner = majority(labels)
        if winner is None:
            rationale = f"no outcome has a majority: {votes_text(count_votes(labels))}"
            return Rejection(id=candidate.id, check=NO_MAJORITY, rationale=rationale)
        return _with_votes(outcomes[labels.index(winner)], labels)


def _label(outcome: Proven | Rejection) -> str:
    return outcome.check if isinstance(outcome, Rejection) else PROVEN


def _with_votes(outcome: Proven | Rejection, labels: list[str]) -> Proven | Rejection:
    """Add the votes to the outcome of the majority, if there were several."""
    if len(labels) == 1:
        return outcome
    votes = votes_text(count_votes(labels))
    if isinstance(outcome, Rejection):
        return replace(outcome, rationale=f"{outcome.rationale} (votes: {votes})")
    check = Check(name="majority", passed=True, rationale=f"votes: {votes}")
    return replace(outcome, checks=(*outcome.checks, check))
