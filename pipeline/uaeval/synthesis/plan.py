"""Plan how many queries of each category to write, and from which chunks, or plan a user's own."""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, overload

from uaeval.categories.base import CategorySpec
from uaeval.categories.names import category_names
from uaeval.categories.numbered_passages import take_turns
from uaeval.categories.registry import category as category_of
from uaeval.categories.voices import Voice
from uaeval.errors import DatasetError
from uaeval.knowledge.retriever import Retriever
from uaeval.records import Assignment, Category, Chunk, Query
from uaeval.synthesis.category_progress import CategoryProgress

ATTEMPTS: Final = 3
"""Assignments per wanted query that the first turn of a plan must have at least."""
SHORT: Final = 300
"""Passages of fewer bytes are tried last. In trials, authors of `false_presupposition` and
`out_of_database` declined 15 of 31 of them, and 17 of 92 longer ones."""


def quotas(size: int, categories: Sequence[Category]) -> Mapping[Category, int]:
    """Return equal shares of `size`; the first categories get one more if it does not divide."""
    share, remainder = divmod(size, len(categories))
    return {category: share + (number < remainder) for number, category in enumerate(categories)}


def choices(spec: CategorySpec[Any], chunks: int, quota: int) -> int:
    """Return how many chunks an assignment offers: fewer than `spec.choices` if there are few."""
    return min(spec.choices, max(1, chunks // (ATTEMPTS * max(1, quota))))


def plan(
    chunks: Sequence[Chunk],
    category: Category,
    seed: int,
    *,
    choices: int = 1,
    supported: Collection[str] = (),
    voices: Sequence[Voice] = (),
    arrange: Callable[[Sequence[Chunk]], Sequence[Chunk]] = tuple,
) -> "Plan":
    """Return every assignment of `category`, in the order in which they are tried.

    Documents alternate, so that the first assignments are from different documents. The plan visits
    each chunk once per turn: there is a turn for each assigned subtype, or for each of the queries
    that a chunk can give. Short passages come last.

    `choices` is the number of neighbouring chunks that each assignment offers its author. There are
    at least as many turns, each with other neighbours.

    `supported` are modalities of the system under test; no query that needs one is planned.
    `voices` are assigned in turn, if the category's prompt has fields for them.
    `arrange` returns the chunks in another order: the most suitable ones first.
    """
    spec = category_of(category)
    subtypes = tuple(name for name in spec.assigned if name not in supported) or (None,)
    documents: dict[str, list[Chunk]] = {}
    for chunk in sorted(chunks, key=lambda chunk: chunk.id):
        documents.setdefault(chunk.document_id, []).append(chunk)
    stacks = list(documents.values())
    rng = random.Random(f"{seed}/{category}")
    rng.shuffle(stacks)
    for stack in stacks:
        rng.shuffle(stack)
    order = arrange(sorted(take_turns(stacks), key=lambda chunk: len(chunk.text.encode()) < SHORT))
    turns = max(len(subtypes), spec.turns, choices)
    return Plan(
        category, subtypes, tuple(order), turns, choices, tuple(voices) if spec.voiced else ()
    )


@dataclass(frozen=True, slots=True)
class Plan(Sequence[Assignment]):
    """The assignments of a category, each created on access, because most are never used."""

    category: Category
    subtypes: tuple[str | None, ...]
    chunks: tuple[Chunk, ...]
    """In the order in which they are tried, once in each turn."""
    turns: int
    choices: int
    """Chunks that an assignment offers."""
    voices: tuple[Voice, ...]

    def __len__(self) -> int:
        return self.turns * self._per_turn

    @property
    def _per_turn(self) -> int:
        return len(self.chunks) // self.choices

    @overload
    def __getitem__(self, index: int) -> Assignment: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Assignment]: ...
    def __getitem__(self, index: int | slice) -> Assignment | Sequence[Assignment]:
        indices = range(len(self))[index]
        return self._at(indices) if isinstance(indices, int) else list(map(self._at, indices))

    def _at(self, index: int) -> Assignment:
        turn, place = divmod(index, self._per_turn)
        # Every turn puts other neighbours together.
        first = place * self.choices + turn * (self.choices - 1)
        chunk, *others = (
            self.chunks[(first + step) % len(self.chunks)] for step in range(self.choices)
        )
        return Assignment(
            id=f"{self.category}-{index + 1:04d}",
            category=self.category,
            subtype=self.subtypes[(place + turn) % len(self.subtypes)],
            turn=turn + 1,
            chunk=chunk,
            others=tuple(others),
            voice=self.voices[(index + 1) % len(self.voices)] if self.voices else None,
        )


def plan_given(given: Sequence[Query], retriever: Retriever) -> tuple[CategoryProgress, ...]:
    """Return each category of the queries, with one assignment per query, in their order.

    Raise `DatasetError` if none of the queries has a category, or one has earlier turns.
    """
    plans: dict[str, list[Assignment]] = {name: [] for name in category_names()}
    for query in given:
        if query.category is None:
            continue
        if query.history:
            problem = "a query with earlier turns can be evaluated, but gets no twin and no proof"
            raise DatasetError(f"{query.id}: {problem}; leave its `history` out")
        assignment = Assignment(
            id=query.id,
            category=query.category,
            subtype=query.subtype,
            turn=1,
            chunk=retriever.search(query.question, 1)[0].chunk,
        )
        plans[query.category].append(assignment)
    if not any(plans.values()):
        raise DatasetError("no query has a category; name what it should not be answered for")
    return tuple(
        CategoryProgress(
            name=name, quota=len(plan), plan=plan, per_document=len(plan), user_queries=True
        )
        for name, plan in plans.items()
        if plan
    )
