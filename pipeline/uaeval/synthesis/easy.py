"""Easy pairs: those that a system gets right without using the knowledge base."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from uaeval.errors import BlockedError, RefusedError
from uaeval.llm.model import Model
from uaeval.llm.replies import ClosedBookAnswer
from uaeval.records import Candidate, Rejection
from uaeval.runner import all_of
from uaeval.synthesis.category_progress import BuildResult
from uaeval.synthesis.panel import Verifying
from uaeval.synthesis.select import Selection
from uaeval.synthesis.verify import Proven
from uaeval.text.telling_apart import Easy, told_apart
from uaeval.text.words import covered_by

CLOSED_BOOK: Final = "rag/closed_book"
"""The prompt that asks a question without passages."""


@dataclass(frozen=True, slots=True)
class ClosedBookCheck:
    """Verify a candidate; put a proven query and its twin to the model without passages."""

    verify: Verifying
    model: Model
    drop: bool
    """Whether a pair is rejected that the model gets right, so that another takes its place."""

    async def __call__(self, candidate: Candidate) -> Proven | Rejection:
        """Return the outcome of the verifier, with whether the model gets a proven pair right.

        Raises:
            RecordError: a model could not be asked, or replied out of form.
            PendingReply: a reply comes in a later batch.
        """
        outcome = await self.verify(candidate)
        if isinstance(outcome, Rejection):
            return outcome
        twin = candidate.twin
        try:
            answer, other = await all_of([self.ask(twin.question), self.ask(candidate.question)])
        except BlockedError:  # by a content filter: no refusal, and no answer
            return outcome
        right = other is None and answer is not None and covered_by(twin.reference_answer, answer)
        if right and self.drop:
            return Rejection(id=candidate.id, check="easy", rationale=_REASONS["closed_book"])
        return replace(outcome, closed_book=right)

    async def ask(self, question: str) -> str | None:
        """Return what the model says without passages; `None` if it declines.

        Raises:
            RecordError: the model could not be asked, was blocked, or replied out of form.
            PendingReply: the reply comes in a later batch.
        """
        try:
            return await self.model.ask(
                CLOSED_BOOK, ClosedBookAnswer, lambda reply: reply.answer, question=question
            )
        except RefusedError:
            return None


def easy_pairs(built: BuildResult) -> dict[str, tuple[Easy, ...]]:
    """Return why each easy pair among those selected is easy, by the id of its query."""
    easy: dict[str, tuple[Easy, ...]] = {}
    for selection in built.selections.values():
        pairs = [each.candidate for each in selection.chosen]
        told = told_apart([(pair.question, pair.twin.question) for pair in pairs])
        for pair, by_words in zip(selection.chosen, told, strict=True):
            reasons: dict[Easy, bool] = {"words": by_words, "closed_book": bool(pair.closed_book)}
            if any(reasons.values()):
                easy[pair.id] = tuple(reason for reason, holds in reasons.items() if holds)
    return easy


def without(built: BuildResult, easy: Mapping[str, Sequence[Easy]]) -> BuildResult:
    """Return the result with the easy pairs passed over."""
    selections = {name: _without(each, easy) for name, each in built.selections.items()}
    return replace(built, selections=selections)


def _without(selection: Selection, easy: Mapping[str, Sequence[Easy]]) -> Selection:
    dropped = [
        Rejection(id=pair.id, check="easy", rationale=_REASONS[easy[pair.id][0]])
        for pair in selection.chosen
        if pair.id in easy
    ]
    chosen = tuple(pair for pair in selection.chosen if pair.id not in easy)
    return replace(selection, chosen=chosen, passed_over=(*selection.passed_over, *dropped))


_REASONS: Final[Mapping[Easy, str]] = {
    "words": "its words alone tell the query from its twin",
    "closed_book": "the model answers the twin and declines the query without the knowledge base",
}
