"""Choose the quota from what was proven: in plan order, no near-duplicates, varied openings."""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from uaeval.categories.registry import category as category_of
from uaeval.synthesis.verify import Proven
from uaeval.text.words import opening, overlap, word_pairs
from uaeval.types import Blocked, Category, Failure, Rejection

NEAR_DUPLICATE = 0.7
"""Jaccard overlap of word pairs from which two queries count as the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What was chosen of one category, in plan order, and what was passed over."""

    chosen: tuple[Proven, ...]
    passed_over: tuple[Rejection, ...]
    usable: int
    """How many there are to choose from; short of `wanted` means more must be written."""
    wanted: int

    @property
    def missing(self) -> int:
        """Count what is still to be proven."""
        return max(0, self.wanted - self.usable)


class DuplicateIndex:
    """The queries of one category to compare further ones with, on top of those before it."""

    def __init__(self, earlier: "DuplicateIndex | None" = None) -> None:
        self._earlier = earlier
        self._pairs: list[frozenset[tuple[str, ...]]] = []
        """The word pairs of each query."""
        self._holders: dict[tuple[str, ...], list[int]] = {}
        """By word pair, the places of the queries that have it."""

    def holds_like(self, question: str) -> bool:
        """Say whether a near-duplicate was put here or on a shelf before this one."""
        earlier = self._earlier
        return self.bears_like(question) or (earlier is not None and earlier.holds_like(question))

    def bears_like(self, question: str) -> bool:
        """Say whether a near-duplicate was put on this shelf itself.

        A near-duplicate lacks so few of the question's pairs that it has one of any few more; so
        only what has one of the rarest is compared.
        """
        found = word_pairs(question)
        lacking = len(found) - math.ceil(NEAR_DUPLICATE * len(found))
        rarest = sorted(found, key=lambda pair: len(self._holders.get(pair, ())))[: lacking + 1]
        places = {place for pair in rarest for place in self._holders.get(pair, ())}
        return any(overlap(found, self._pairs[place]) >= NEAR_DUPLICATE for place in places)

    def put(self, question: str) -> None:
        """Remember a question."""
        found = word_pairs(question)
        for pair in found:
            self._holders.setdefault(pair, []).append(len(self._pairs))
        self._pairs.append(found)


class Selector:
    """What one category's pairs come to, put to it one by one in plan order until it is full."""

    def __init__(
        self,
        category: Category,
        quota: int,
        per_document: int,
        shelf: DuplicateIndex,
        *,
        given: bool = False,
    ) -> None:
        spec = category_of(category)
        share = 1.0 if given else spec.opening_share
        self.shelf = shelf
        self.usable: list[Proven] = []
        self._passed_over: list[Rejection] = []
        self.wanted = quota if given else math.ceil(quota * spec.oversample)
        self._quota = quota
        self._per_document = per_document
        self._opening_share = share
        self._most_openings = max(1, math.floor(share * quota))
        self._openings: Counter[tuple[str, ...]] = Counter()
        self._documents: Counter[str] = Counter()

    @property
    def missing(self) -> int:
        """Count what is still to be proven."""
        return self.wanted - len(self.usable)

    def put(self, pair: Proven) -> bool:
        """Take `pair` in, on the shelf as well, or pass it over; say whether it is usable."""
        reason = self._reason_against(pair)
        if reason:
            self._pass_over(pair, *reason)
            return False
        question = pair.candidate.question
        self.usable.append(pair)
        self.shelf.put(question)
        self._openings[opening(question)] += 1
        self._documents[_document(pair)] += 1
        return True

    def _reason_against(self, pair: Proven) -> tuple[str, str] | None:
        """Return the check that `pair` does not pass, and why; `None` if it is usable."""
        question, document = pair.candidate.question, _document(pair)
        start, most = opening(question), self._most_openings
        if not self.missing:
            return ("spare", "the quota was already full")
        if self.shelf.holds_like(question):
            return ("duplicate", "nearly the same as a query already chosen")
        if self._openings[start] >= most:
            return ("opening", f"{most} queries already open with {' '.join(start)!r}")
        if self._documents[document] >= self._per_document:
            return ("per_document", f"{self._per_document} queries are already from {document}")
        return None

    def _pass_over(self, pair: Proven, check: str, rationale: str) -> None:
        self._passed_over.append(Rejection(id=pair.id, check=check, rationale=rationale))

    def selection(self) -> Selection:
        """Choose the quota from what is usable."""
        chosen = _varied(_spread(self.usable, self._quota), self._opening_share)
        kept = {pair.id for pair in chosen}
        rationale = "the quota was full, its opening too common, or one of like hardness was chosen"
        spares = [
            Rejection(id=pair.id, check="spare", rationale=rationale)
            for pair in self.usable
            if pair.id not in kept
        ]
        passed_over = sorted([*self._passed_over, *spares], key=lambda rejection: rejection.id)
        return Selection(
            chosen=chosen,
            passed_over=tuple(passed_over),
            usable=len(self.usable),
            wanted=self.wanted,
        )


def select(
    outcomes: Iterable[Proven | Rejection | Failure | Blocked | None],
    category: Category,
    quota: int,
    shelf: DuplicateIndex,
    per_document: int,
    *,
    given: bool = False,
) -> Selection:
    """Choose at most `quota` of what was proven, in plan order; put it on the shelf.

    Chosen is from the first ones that fill the quota; all that were proven after them are spares.
    What comes after an open outcome, a `None`, is not looked at before that is settled, unless the
    quota was full by then.
    """
    choice = Selector(category, quota, per_document, shelf, given=given)
    for outcome in outcomes:
        if outcome is None and choice.missing:
            break
        if isinstance(outcome, Proven):
            choice.put(outcome)
    return choice.selection()


def _varied(chosen: tuple[Proven, ...], share: float) -> tuple[Proven, ...]:
    """Leave out the last queries of an opening that starts more than `share` of what is left.

    Where the quota was filled there are none; a shorter set bears fewer of one kind.
    """
    while True:
        most = max(1, math.floor(share * len(chosen)))
        seen: Counter[tuple[str, ...]] = Counter()
        left = []
        for pair in chosen:
            start = opening(pair.candidate.question)
            seen[start] += 1
            if seen[start] <= most:
                left.append(pair)
        if len(left) == len(chosen):
            return chosen
        chosen = tuple(left)


def _document(pair: Proven) -> str:
    candidate = pair.candidate
    of_source = category_of(candidate.category).keeps_document_of == "source"
    chunk_id = candidate.source_chunk_id if of_source else candidate.twin.chunk_id
    return chunk_id.rpartition("#")[0]


def _spread(usable: Sequence[Proven], quota: int) -> tuple[Proven, ...]:
    """Take `quota` pairs at even steps through their order of hardness; return in plan order."""
    if len(usable) <= quota:
        return tuple(usable)
    ranked = sorted(range(len(usable)), key=lambda place: (usable[place].hardness, place))
    steps = [round(step * (len(ranked) - 1) / max(1, quota - 1)) for step in range(quota)]
    places = sorted(ranked[step] for step in itertools.islice(steps, quota))
    return tuple(usable[place] for place in places)
