"""Choose the quota from what was proven: in plan order, no near-duplicates, varied openings."""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from uaeval.categories import CATEGORIES
from uaeval.synthesis.verify import Proven
from uaeval.synthesis.wording import opening, overlap, word_pairs
from uaeval.types import Category, Rejection

NEAR_DUPLICATE = 0.7
"""Overlap of word pairs from which two queries count as the same."""
POOL = 1.5
"""How many times its quota `out_of_database` is proven, so that its hardness can be spread."""


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


@dataclass(slots=True)
class Shelf:
    """The queries chosen so far, over all categories, to compare further ones with."""

    pairs: list[frozenset[tuple[str, ...]]] = field(default_factory=list)

    def holds_like(self, question: str) -> bool:
        """Say whether a near-duplicate was put here."""
        found = word_pairs(question)
        return any(overlap(found, other) >= NEAR_DUPLICATE for other in self.pairs)

    def put(self, question: str) -> None:
        """Remember a question."""
        self.pairs.append(word_pairs(question))


def select(
    proven: Sequence[Proven], category: Category, quota: int, shelf: Shelf, per_document: int
) -> Selection:
    """Choose at most `quota` of `proven`, which is in plan order; put them on the shelf."""
    wanted = math.ceil(quota * POOL) if category is Category.OUT_OF_DATABASE else quota
    most_openings = max(1, math.floor(CATEGORIES[category].opening_share * quota))
    openings: Counter[tuple[str, ...]] = Counter()
    documents: Counter[str] = Counter()
    usable: list[Proven] = []
    passed_over: list[Rejection] = []
    for pair in proven:
        question = pair.candidate.question
        start, document = opening(question), _document(pair)
        if shelf.holds_like(question):
            reason = ("duplicate", "nearly the same as a query already chosen")
        elif openings[start] >= most_openings:
            reason = ("opening", f"{most_openings} queries already open with {' '.join(start)!r}")
        elif documents[document] >= per_document:
            reason = ("per_document", f"{per_document} queries are already from {document}")
        elif len(usable) >= wanted:
            reason = ("spare", "the quota was already full")
        else:
            usable.append(pair)
            shelf.put(question)
            openings[start] += 1
            documents[document] += 1
            continue
        passed_over.append(Rejection(id=pair.id, check=reason[0], rationale=reason[1]))
    chosen = _varied(_spread(usable, quota), CATEGORIES[category].opening_share)
    kept = {pair.id for pair in chosen}
    spare = "the quota was full, its opening too common, or one of like hardness was chosen"
    passed_over += [
        Rejection(id=pair.id, check="spare", rationale=spare)
        for pair in usable
        if pair.id not in kept
    ]
    return Selection(
        chosen=chosen,
        passed_over=tuple(sorted(passed_over, key=lambda rejection: rejection.id)),
        usable=len(usable),
        wanted=wanted,
    )


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
    outside = candidate.category is Category.OUT_OF_DATABASE
    chunk_id = candidate.source_chunk_id if outside else candidate.twin.chunk_id
    return chunk_id.rpartition("#")[0]


def _spread(usable: Sequence[Proven], quota: int) -> tuple[Proven, ...]:
    """Take `quota` pairs at even steps through their order of hardness; return in plan order."""
    if len(usable) <= quota:
        return tuple(usable)
    ranked = sorted(range(len(usable)), key=lambda place: (usable[place].hardness, place))
    steps = [round(step * (len(ranked) - 1) / max(1, quota - 1)) for step in range(quota)]
    places = sorted(ranked[step] for step in itertools.islice(steps, quota))
    return tuple(usable[place] for place in places)
