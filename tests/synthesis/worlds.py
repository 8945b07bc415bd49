"""Authors and verifiers whose answers depend only on the assignment, and whose time is random."""

import asyncio
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from tests.synthesis.conftest import chunk_of

from uaeval.categories.names import BUILT_IN
from uaeval.errors import ModelError, PendingReply, RunAborted
from uaeval.records import (
    Assignment,
    Candidate,
    Category,
    Check,
    Evidence,
    Failure,
    Outcome,
    Rejection,
    Twin,
)
from uaeval.synthesis.category_progress import CategoryProgress
from uaeval.synthesis.plan import plan
from uaeval.synthesis.select import DuplicateIndex, Selection
from uaeval.synthesis.verify import Proven

CHUNKS = [chunk_of(f"d{n:03d}.md#{part}", f"text {n} {part}") for n in range(60) for part in (0, 1)]


def candidate_of(assignment: Assignment, question: str) -> Candidate:
    return Candidate(
        id=assignment.id,
        category=assignment.category,
        subtype=None,
        question=question,
        reason="r",
        twin=Twin(
            question=f"twin of {question}",
            reference_answer="a",
            chunk_id=assignment.chunk.id,
            quote="q",
        ),
        source_chunk_id=assignment.chunk.id,
    )


def proven_of(candidate: Candidate, hardness: float = 0.5) -> Proven:
    return Proven(
        id=candidate.id,
        candidate=candidate,
        query_evidence=(),
        twin_evidence=Evidence(claim="c", outcome=Outcome.PROVEN),
        checks=(Check(name="verifier", passed=True, rationale="r"),),
        hardness=hardness,
    )


def lines(quota: int, *categories: Category, documents: int = 60) -> list[CategoryProgress]:
    chunks = CHUNKS[: 2 * documents]
    return [
        CategoryProgress(name=each, quota=quota, plan=plan(chunks, each, seed=0), per_document=2)
        for each in categories or BUILT_IN
    ]


def selected(
    outcomes: Sequence[Proven | None],
    category: Category,
    quota: int,
    duplicates: Sequence[DuplicateIndex] = (),
    *,
    per_document: int = 2,
    user_queries: bool = False,
    last: bool = False,
) -> Selection:
    """Select from the outcomes of a plan, which has no more if they are the `last`."""
    assignments = plan(CHUNKS, category, seed=0)[: len(outcomes) + (not last)]
    line = CategoryProgress(
        name=category,
        quota=quota,
        plan=assignments,
        per_document=per_document,
        user_queries=user_queries,
    )
    line.select_anew([*duplicates, DuplicateIndex()])
    for outcome in outcomes:
        result = line.start()
        if outcome:
            result.outcome = outcome
            line.end(result)
    return line.selection()


def fixed(turns: int) -> Callable[[], int]:
    """Every call takes so many turns of the event loop."""
    return lambda: turns


def varying(seed: int) -> Callable[[], int]:
    """Calls take from 50 to 150 turns of the event loop."""
    chance = random.Random(seed)
    return lambda: chance.randrange(50, 151)


def quick(seed: int) -> Callable[[], int]:
    """Calls take a few turns of the event loop, now and then many."""
    chance = random.Random(seed)
    return lambda: chance.randrange(4) if chance.random() < 0.95 else 40


def straggling(seed: int) -> Callable[[], int]:
    """Most calls take from 50 to 100 turns of the event loop, some of them 500."""
    chance = random.Random(seed)
    return lambda: chance.randrange(50, 100) if chance.random() < 0.95 else 500


class World:
    """Writes and verifies; `seed` says what becomes of each assignment, `latency` when.

    Calls pass a gate, as those of a run do, and no more than `most_at_once` are in flight.
    """

    def __init__(
        self,
        seed: int,
        latency: Callable[[], int] = lambda: 1,
        *,
        failing: float = 0.0,
        most_at_once: int = 1_000,
    ) -> None:
        self._gate = asyncio.Semaphore(most_at_once)
        self._seed = seed
        self._latency = latency
        self._failing = failing
        self._closed = False
        self.in_flight = 0
        self.calls = 0
        self.asked: list[str] = []
        """Ids of the assignments that an author was asked about."""
        self.answered: Callable[[str], bool] = lambda _: True
        """Says whether the answer to a question is there yet (batch mode)."""

    def close(self) -> None:
        """Start no further call, as the models of a run do."""
        self._closed = True

    async def generate(self, assignment: Assignment) -> Candidate | Rejection:
        self.asked.append(assignment.id)
        await self._call(f"generate {assignment.id}")
        return self.written(assignment)

    async def verify(self, candidate: Candidate) -> Proven | Rejection:
        await self._call(f"verify {candidate.id}")
        return self.judged(candidate)

    async def _call(self, question: str) -> None:
        if not self.answered(question):
            raise PendingReply
        async with self._gate:
            if self._closed:
                raise RunAborted("closed")
            self.calls += 1
            self.in_flight += 1
            try:
                for _ in range(self._latency()):
                    await asyncio.sleep(0)
            finally:
                self.in_flight -= 1
        if self._fails(question):
            raise ModelError("no answer")

    def written(self, assignment: Assignment) -> Candidate | Rejection:
        if self._chance("declines", assignment.id) < 0.3:
            return Rejection(id=assignment.id, check="declined", rationale="r")
        number = assignment.id
        question = f"word-{number} thing-{number} of matter-{number} please"
        if self._chance("repeats itself", assignment.id) < 0.15:
            subject = int(self._chance("subject", assignment.id) * 9)
            question = f"who is it that signs the form number {subject} for me"
        return candidate_of(assignment, question)

    def judged(self, candidate: Candidate) -> Proven | Rejection:
        if self._chance("rejects", candidate.id) < 0.25:
            return Rejection(id=candidate.id, check="proof", rationale="r")
        return proven_of(candidate, round(self._chance("hardness", candidate.id), 4))

    def outcome(self, assignment: Assignment) -> Proven | Rejection | Failure:
        """Return the final outcome of an assignment."""
        written = self.written(assignment)
        stages = ["generate"] if isinstance(written, Rejection) else ["generate", "verify"]
        if any(self._fails(f"{stage} {assignment.id}") for stage in stages):
            return Failure(id=assignment.id, stage="s", kind="ModelError", message="no answer")
        return self.judged(written) if isinstance(written, Candidate) else written

    def _fails(self, question: str) -> bool:
        return self._chance("fails", question) < self._failing

    def _chance(self, what: str, about: str) -> float:
        return random.Random(f"{self._seed} {what} {about}").random()


@contextmanager
def sampled(world: World) -> Iterator[list[int]]:
    """Note at every turn of the event loop how many calls are in flight."""
    samples: list[int] = []

    async def sample() -> None:
        while True:
            samples.append(world.in_flight)
            await asyncio.sleep(0)

    task = asyncio.create_task(sample())
    try:
        yield samples
    finally:
        task.cancel()
