"""Select the quota of proven pairs: in plan order, no near-duplicates, varied openings and frames.

A pair is held back if its frame or twin was selected before, if its twin is about something else,
or if a user would hardly type its query. Such pairs are used after all if the plan ends before the
quota is full, or if enough pairs are held back already.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import attrgetter

from uaeval.categories.registry import category as category_of
from uaeval.records import Category, Rejection
from uaeval.synthesis.verify import Proven
from uaeval.text.words import normalise, opening, overlap, word_pairs, words

HELD, HELD_OFFLINE = 0.25, 3.0
"""Most pairs that are held back, as a share of the quota: of a model, and of the offline engine,
whose further pairs cost nothing."""
HELD_ODD = 0.1
"""The same for a model's pairs whose only weakness is an odd query."""
ODD, WEAKEST = 1, 8
"""The weakness of a pair whose query is odd, and of one with every weakness."""
NEAR_DUPLICATE = 0.7
"""Jaccard overlap of word pairs from which on two queries are near-duplicates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The selected pairs of one category, in plan order, and the others with the reason."""

    selected: tuple[Proven, ...]
    passed_over: tuple[Rejection, ...]
    missing: int
    """Number of pairs that are still to be proven, until there are enough to select from."""


class DuplicateIndex:
    """The selected pairs of one category, by the queries' word pairs and frames, and by twins."""

    def __init__(self) -> None:
        self._word_pairs: list[tuple[tuple[str, ...], ...]] = []
        """The word pairs of each query; a tuple takes less memory than a set."""
        self._postings: dict[tuple[str, ...], list[int]] = {}
        """The positions of the queries that have a word pair."""
        self.frames: set[str] = set()
        """The frames, and the twins in normal form."""

    def has_near_duplicate(self, question: str) -> bool:
        """Return whether the index has a near-duplicate of a question.

        A near-duplicate lacks at most `missing` word pairs of the question. It therefore has one of
        any `missing + 1`, and it is enough to compare the queries that have one of the rarest.
        """
        pairs = word_pairs(question)
        missing = len(pairs) - math.ceil(NEAR_DUPLICATE * len(pairs))
        known = [self._postings[pair] for pair in pairs if pair in self._postings]
        if len(known) < len(pairs) - missing:
            return False
        rarest = sorted(known, key=len)[: missing + 1 - (len(pairs) - len(known))]
        positions = set(chain.from_iterable(rarest))
        others = (frozenset(self._word_pairs[position]) for position in positions)
        return any(overlap(pairs, other) >= NEAR_DUPLICATE for other in others)

    def put(self, question: str, *frames: str) -> None:
        """Add a question, and the frames by which a similar pair is recognised."""
        self.frames.update(frames)
        pairs = word_pairs(question)
        for pair in pairs:
            self._postings.setdefault(pair, []).append(len(self._word_pairs))
        self._word_pairs.append(tuple(pairs))


class Selector:
    """Select pairs of one category, which are added one by one, in plan order, until it is full."""

    def __init__(
        self,
        category: Category,
        quota: int,
        per_document: int,
        duplicates: Sequence[DuplicateIndex],
        *,
        user_queries: bool = False,
        held_share: float = HELD,
        odd_share: float = HELD_ODD,
    ) -> None:
        self.duplicates = duplicates
        """The indexes of the categories up to this one."""
        self.usable: list[Proven] = []
        self._passed_over: list[Rejection] = []
        self._quota = quota
        self._per_document = per_document
        self._opening_share = 1.0 if user_queries else category_of(category).opening_share
        self._most_openings = max(1, math.ceil(self._opening_share * quota))
        self._openings: Counter[tuple[str, ...]] = Counter()
        self._cases: set[frozenset[tuple[str, str]]] = set()
        self._documents: Counter[str] = Counter()
        self._most_held = 0 if user_queries else math.ceil(held_share * quota)
        self._most_odd = min(self._most_held, math.ceil(odd_share * quota))
        self._held: list[Proven] = []
        """Pairs that are held back."""
        self._order: dict[str, int] = {}
        """The position of each pair in the plan, by id."""

    @property
    def missing(self) -> int:
        """Return the number of pairs that are still to be proven."""
        return self._quota - len(self.usable)

    def put(self, pair: Proven) -> bool:
        """Add `pair`, hold it back, or pass it over; return whether it is usable."""
        self._order[pair.id] = len(self._order)
        if self._pass_over(pair):
            return False
        weakness = self._weakness(pair)
        most = self._most_odd if weakness == ODD else self._most_held
        if not pair.one_subject:
            most = max(most, self._quota)
        if weakness and len(self._held) < most:
            self._held.append(pair)
            return False
        self._use(pair)
        return True

    def release(self) -> list[Proven]:
        """Use the pairs that were held back, at the end of the plan; return those now usable."""
        held, self._held, usable = self._held, [], list[Proven]()
        for most in range(1, WEAKEST + 1):
            left = list[Proven]()
            for pair in held:
                if self._weakness(pair) > most:
                    left.append(pair)
                elif not self._pass_over(pair):
                    self._use(pair)
                    usable.append(pair)
            held = left
        return usable

    def _weakness(self, pair: Proven) -> int:
        """Return how much any other pair is preferred: 0 is best, `WEAKEST` is worst."""
        seen = [index.frames for index in self.duplicates]
        repeated = sum(any(frame in frames for frames in seen) for frame in frames_of(pair))
        reasons = repeated + (not pair.one_subject) + (pair.natural == "contrived")
        return 2 * reasons + ODD * (pair.natural == "odd")

    def _use(self, pair: Proven) -> None:
        question = pair.candidate.question
        self.usable.append(pair)
        self.duplicates[-1].put(question, *frames_of(pair))
        self._openings[opening(question)] += 1
        self._cases.add(_cases(pair))
        self._documents[_document(pair)] += 1

    def _pass_over(self, pair: Proven) -> bool:
        """Return whether `pair` fails a check; if so, record it as passed over."""
        question, document = pair.candidate.question, _document(pair)
        start, most = opening(question), self._most_openings
        if not self.missing:
            check, why = "spare", _FULL
        elif any(index.has_near_duplicate(question) for index in self.duplicates):
            check, why = "duplicate", "nearly the same as a query already selected"
        elif pair.candidate.readings and _cases(pair) in self._cases:
            check, why = "duplicate", "its readings are those of a query already selected"
        elif self._openings[start] >= most:
            check, why = "opening", f"selected with the opening {' '.join(start)!r} already: {most}"
        elif self._documents[document] >= self._per_document:
            check, why = "per_document", f"{self._per_document} queries are already from {document}"
        else:
            return False
        self._passed_over.append(Rejection(id=pair.id, check=check, rationale=why))
        return True

    def selection(self, later: Sequence[Proven] = ()) -> Selection:
        """Return a selection of the usable pairs.

        The pairs in `later` were proven after the quota was full, and are spares.
        """
        pool = sorted(self.usable, key=lambda pair: self._order[pair.id])
        selected = _varied(tuple(pool), self._opening_share)
        kept = {pair.id for pair in selected}
        unused = [pair for pair in self.usable if pair.id not in kept]
        held = [] if self.missing else self._held
        spares = [
            Rejection(id=pair.id, check="spare", rationale=why)
            for why, pairs in ((_UNUSED, unused), (_FULL, later), (_HELD_BACK, held))
            for pair in pairs
        ]
        return Selection(
            selected=selected,
            passed_over=tuple(sorted([*self._passed_over, *spares], key=attrgetter("id"))),
            missing=self.missing,
        )


_FULL = "the quota was already full"
_UNUSED = "its opening is too common among the queries that were found"
_HELD_BACK = (
    "a pair with its frame or its twin was selected, its twin is about something else, or a user "
    "would hardly type its query"
)


def frames_of(pair: Proven) -> frozenset[str]:
    """Return the frame of a pair, if it is known, and its twin in normal form."""
    return frozenset({pair.frame, _plain(pair.candidate.twin.question)} - {""})


@lru_cache(maxsize=16384)  # selections start again and again, and ask for the same pairs
def _plain(question: str) -> str:
    return " ".join(words(question))


def _cases(pair: Proven) -> frozenset[tuple[str, str]]:
    """Return the passages that the readings name, with the answers."""
    return frozenset((each.chunk_id, normalise(each.answer)) for each in pair.candidate.readings)


def _varied(selected: tuple[Proven, ...], share: float) -> tuple[Proven, ...]:
    """Drop the last queries of each opening that starts more than `share` of them, rounded up.

    A full quota has no such opening; a smaller set allows fewer queries per opening.
    """
    while True:
        most = max(1, math.ceil(share * len(selected)))
        seen: Counter[tuple[str, ...]] = Counter()
        left = []
        for pair in selected:
            start = opening(pair.candidate.question)
            seen[start] += 1
            if seen[start] <= most:
                left.append(pair)
        if len(left) == len(selected):
            return selected
        selected = tuple(left)


def _document(pair: Proven) -> str:
    """Return the id of the document that counts against `per_document`."""
    candidate = pair.candidate
    outside = category_of(candidate.category).outside
    chunk_id = candidate.source_chunk_id if outside else candidate.twin.chunk_id
    return chunk_id.rpartition("#")[0]
