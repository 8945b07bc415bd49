"""Select the quota of proven pairs: in plan order, no near-duplicates, varied openings and frames.

A pair whose frame was selected before is held back. It is used if the plan gives nothing better, or
if so many are held that the author repeats itself: a quota is filled all the same.
"""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from uaeval.categories.registry import category as category_of
from uaeval.records import Category, Rejection
from uaeval.synthesis.verify import Proven
from uaeval.text.words import opening, overlap, word_pairs

HELD = 0.25
"""Pairs of a repeated frame that are held back at most, as a share of the quota."""
NEAR_DUPLICATE = 0.7
"""Jaccard overlap of word pairs from which two queries count as the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The selected pairs of one category, in plan order, and those passed over."""

    chosen: tuple[Proven, ...]
    passed_over: tuple[Rejection, ...]
    missing: int
    """Pairs that are still to be proven, so that there are enough to select from."""
    failed: int = 0
    """Calls that failed before the quota was full: their pairs might have been selected."""


class DuplicateIndex:
    """The queries of one category by word pairs and frames, on top of those of earlier ones."""

    def __init__(self, earlier: "DuplicateIndex | None" = None) -> None:
        self._earlier = earlier
        self._pairs: list[tuple[tuple[str, ...], ...]] = []
        """The word pairs of each query; a tuple takes less memory than a set."""
        self._holders: dict[tuple[str, ...], list[int]] = {}
        """By word pair, the positions of the queries that have it."""
        self._frames: set[str] = set()

    def has_frame(self, frame: str) -> bool:
        """Return whether this index or an earlier one has a query of this frame."""
        if frame in self._frames:
            return True
        return self._earlier is not None and self._earlier.has_frame(frame)

    def has_own(self, pair: Proven) -> bool:
        """Return whether this index itself has a near-duplicate, or a query of the same frame."""
        return pair.frame in self._frames or self.has_own_near_duplicate(pair.candidate.question)

    def has_near_duplicate(self, question: str) -> bool:
        """Return whether this index or an earlier one has a near-duplicate."""
        if self.has_own_near_duplicate(question):
            return True
        return self._earlier is not None and self._earlier.has_near_duplicate(question)

    def has_own_near_duplicate(self, question: str) -> bool:
        """Return whether this index itself has a near-duplicate.

        A near-duplicate lacks at most `missing` pairs of the question. So it has at least one of
        any `missing + 1`, and only queries with one of the rarest are compared.
        """
        pairs = word_pairs(question)
        missing = len(pairs) - math.ceil(NEAR_DUPLICATE * len(pairs))
        rarest = sorted(pairs, key=lambda pair: len(self._holders.get(pair, ())))[: missing + 1]
        places = {place for pair in rarest for place in self._holders.get(pair, ())}
        compared = (frozenset(self._pairs[place]) for place in places)
        return any(overlap(pairs, other) >= NEAR_DUPLICATE for other in compared)

    def put(self, question: str, frame: str = "") -> None:
        """Add a question; an empty frame is that of no other question."""
        self._frames |= {frame} if frame else set()
        pairs = word_pairs(question)
        for pair in pairs:
            self._holders.setdefault(pair, []).append(len(self._pairs))
        self._pairs.append(tuple(pairs))


class Selector:
    """Select the pairs of one category, given one by one in plan order until it is full."""

    def __init__(
        self,
        category: Category,
        quota: int,
        per_document: int,
        duplicates: DuplicateIndex,
        *,
        given: bool = False,
    ) -> None:
        spec = category_of(category)
        self.duplicates = duplicates
        self.usable: list[Proven] = []
        self._passed_over: list[Rejection] = []
        self.wanted = quota if given else math.ceil(quota * spec.oversample)
        self._quota = quota
        self._per_document = per_document
        self._opening_share = 1.0 if given else spec.opening_share
        self._most_openings = max(1, math.floor(self._opening_share * quota))
        self._openings: Counter[tuple[str, ...]] = Counter()
        self._documents: Counter[str] = Counter()
        self._most_held = 0 if given else math.ceil(HELD * quota)
        self._held: list[Proven] = []
        """Pairs of a repeated frame that are not usable as yet."""
        self._order: dict[str, int] = {}
        """The order of the pairs in the plan, by id."""
        self._repeated: set[str] = set()
        """Ids of all pairs of a repeated frame."""

    @property
    def missing(self) -> int:
        """Return the number of pairs that are still to be proven."""
        return self.wanted - len(self.usable)

    def put(self, pair: Proven) -> bool:
        """Add `pair`, hold it back, or pass it over; return whether it is usable."""
        self._order[pair.id] = len(self._order)
        if self._pass_over(pair):
            return False
        if self.duplicates.has_frame(pair.frame):
            self._repeated.add(pair.id)
            if len(self._held) < self._most_held:
                self._held.append(pair)
                return False
        self._use(pair)
        return True

    def release(self) -> list[Proven]:
        """Use what is held back, as the plan is used up; return the pairs that are usable now."""
        held, self._held = self._held, []
        used = [pair for pair in held if not self._pass_over(pair)]
        for pair in used:
            self._use(pair)
        return used

    def _use(self, pair: Proven) -> None:
        question = pair.candidate.question
        self.usable.append(pair)
        self.duplicates.put(question, pair.frame)
        self._openings[opening(question)] += 1
        self._documents[_document(pair)] += 1

    def _pass_over(self, pair: Proven) -> bool:
        """Pass `pair` over if it fails a check; return whether it does."""
        question, document = pair.candidate.question, _document(pair)
        start, most = opening(question), self._most_openings
        if not self.missing:
            check, why = "spare", _FULL
        elif self.duplicates.has_near_duplicate(question):
            check, why = "duplicate", "nearly the same as a query already chosen"
        elif self._openings[start] >= most:
            check, why = "opening", f"{most} queries already open with {' '.join(start)!r}"
        elif self._documents[document] >= self._per_document:
            check, why = "per_document", f"{self._per_document} queries are already from {document}"
        else:
            return False
        self._passed_over.append(Rejection(id=pair.id, check=check, rationale=why))
        return True

    def selection(self, later: Sequence[Proven] = (), *, failed: int = 0) -> Selection:
        """Select the quota from the usable pairs; those of a repeated frame only if needed.

        The pairs `later`, proven after the quota was full, are spares.
        """
        fresh = [pair for pair in self.usable if pair.id not in self._repeated]
        repeated = [pair for pair in self.usable if pair.id in self._repeated]
        pool = [*fresh, *repeated[: max(0, self._quota - len(fresh))]]
        pool.sort(key=lambda pair: self._order[pair.id])
        chosen = _varied(_spread(pool, self._quota), self._opening_share)
        kept = {pair.id for pair in chosen}
        unused = [pair for pair in self.usable if pair.id not in kept]
        held = [] if self.missing else self._held
        spares = [
            Rejection(id=pair.id, check="spare", rationale=why)
            for why, pairs in ((_UNUSED, unused), (_FULL, later), (_HELD_BACK, held))
            for pair in pairs
        ]
        return Selection(
            chosen=chosen,
            passed_over=tuple(sorted([*self._passed_over, *spares], key=attrgetter("id"))),
            missing=max(0, self.missing),
            failed=failed,
        )


_FULL = "the quota was already full"
_UNUSED = "the quota was full, its opening too common, or one of like hardness was chosen"
_HELD_BACK = "a query of the same frame was chosen"


def _varied(chosen: tuple[Proven, ...], share: float) -> tuple[Proven, ...]:
    """Drop the last queries of an opening that starts more than `share` of the rest.

    A full quota has none; a shorter set allows fewer queries per opening.
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
    outside = category_of(candidate.category).outside
    chunk_id = candidate.source_chunk_id if outside else candidate.twin.chunk_id
    return chunk_id.rpartition("#")[0]


def _spread(usable: Sequence[Proven], quota: int) -> tuple[Proven, ...]:
    """Return `quota` pairs at even steps through their order of hardness, in plan order."""
    if len(usable) <= quota:
        return tuple(usable)
    ranked = sorted(range(len(usable)), key=lambda place: (usable[place].hardness, place))
    steps = [round(step * (len(ranked) - 1) / max(1, quota - 1)) for step in range(quota)]
    places = sorted(ranked[step] for step in itertools.islice(steps, quota))
    return tuple(usable[place] for place in places)
