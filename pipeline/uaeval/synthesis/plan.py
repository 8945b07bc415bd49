"""Seeded plan: how many queries of each category, and from which chunk each is to be written."""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from uaeval.categories.numbered_passages import take_turns
from uaeval.categories.registry import category as category_of
from uaeval.categories.voices import Voice
from uaeval.records import Assignment, Category, Chunk


def quotas(size: int, categories: Sequence[Category]) -> Mapping[Category, int]:
    """Share `size` equally; what is left over goes to the first categories, one each."""
    share, left = divmod(size, len(categories))
    return {category: share + (place < left) for place, category in enumerate(categories)}


def plan(
    chunks: Sequence[Chunk],
    category: Category,
    seed: int,
    *,
    supported: Collection[str] = (),
    voices: Sequence[Voice] = (),
    arrange: Callable[[Sequence[Chunk]], Sequence[Chunk]] | None = None,
) -> "Plan":
    """Return every assignment of `category`, in the order in which they are to be tried.

    Documents take turns, so that the first assignments come from as many documents as there are.
    Where subtypes are assigned, the chunks come up once for each assignment of one;
    where a chunk can give several queries, once per turn.
    `supported` are modalities of the system under test; no query that needs one is planned.
    `voices` take turns where the category's authors are told of them.
    `arrange` returns the chunks in another order: those that serve best first.
    """
    spec = category_of(category)
    left = (name for name in spec.assigned if name not in supported)
    subtypes = tuple(left) or (None,)
    order: Sequence[Chunk] = _turns(chunks, random.Random(f"{seed}/{category}"))
    if arrange:
        order = arrange(order)
    turns = max(len(subtypes), spec.turns)
    return Plan(category, subtypes, tuple(order), turns, tuple(voices) if spec.voiced else ())


@dataclass(frozen=True, slots=True)
class Plan(Sequence[Assignment]):
    """The assignments of a category; each is made when it is asked for, as most never are."""

    category: Category
    subtypes: tuple[str | None, ...]
    chunks: tuple[Chunk, ...]
    """In the order in which they are tried, once in each turn."""
    turns: int
    voices: tuple[Voice, ...]

    def __len__(self) -> int:
        return self.turns * len(self.chunks)

    @overload
    def __getitem__(self, place: int) -> Assignment: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Assignment]: ...
    def __getitem__(self, place: int | slice) -> Assignment | Sequence[Assignment]:
        places = range(len(self))[place]
        return self._at(places) if isinstance(places, int) else list(map(self._at, places))

    def _at(self, place: int) -> Assignment:
        turn, of_turn = divmod(place, len(self.chunks))
        return Assignment(
            id=f"{self.category}-{place + 1:04d}",
            category=self.category,
            subtype=self.subtypes[(of_turn + turn) % len(self.subtypes)],
            turn=turn + 1,
            chunk=self.chunks[of_turn],
            voice=self.voices[(place + 1) % len(self.voices)] if self.voices else None,
        )


def _turns(chunks: Sequence[Chunk], chance: random.Random) -> list[Chunk]:
    """Shuffle the documents and the chunks in each, then take one chunk per document in turn."""
    documents: dict[str, list[Chunk]] = {}
    for chunk in sorted(chunks, key=lambda chunk: chunk.id):
        documents.setdefault(chunk.document_id, []).append(chunk)
    stacks = list(documents.values())
    chance.shuffle(stacks)
    for stack in stacks:
        chance.shuffle(stack)
    return take_turns(stacks)
