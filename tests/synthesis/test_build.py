"""Rounds, quotas and choice: what is chosen hangs on plan and replies alone."""

import asyncio
import random

from tests.synthesis.conftest import WordRetriever, chunk_of

from uaeval.errors import ModelError, Pending
from uaeval.synthesis.attempts import Built, Line
from uaeval.synthesis.build import build
from uaeval.synthesis.plan import plan
from uaeval.synthesis.select import Shelf, select
from uaeval.synthesis.verify import Proven
from uaeval.synthesis.watcher import Silent
from uaeval.types import (
    Assignment,
    Candidate,
    Category,
    Check,
    Evidence,
    Outcome,
    Rejection,
    Twin,
)

CATEGORY = Category.FALSE_PRESUPPOSITION
CHUNKS = [chunk_of(f"d{n:02d}.md#0", f"text number {n}") for n in range(40)]


def _candidate(assignment: Assignment, question: str) -> Candidate:
    return Candidate(
        id=assignment.id,
        category=assignment.category,
        subtype=None,
        question=question,
        reason="r",
        twin=Twin(question="t", reference_answer="a", chunk_id=assignment.chunk.id, quote="q"),
        source_chunk_id=assignment.chunk.id,
    )


def _proven(candidate: Candidate, hardness: float = 0.5) -> Proven:
    return Proven(
        id=candidate.id,
        candidate=candidate,
        query_evidence=(),
        twin_evidence=Evidence(claim="c", outcome=Outcome.PROVEN),
        checks=(Check(name="verifier", passed=True, rationale="r"),),
        hardness=hardness,
    )


class Author:
    """Writes a question from each chunk after a random while; declines every third."""

    def __init__(self, seed: int, error: type[Exception] | None = None) -> None:
        self._chance = random.Random(seed)
        self._error = error
        self.asked = 0

    async def __call__(self, assignment: Assignment) -> Candidate | Rejection:
        self.asked += 1
        await asyncio.sleep(self._chance.random() / 500)
        number = int(assignment.chunk.id[1:3])
        if self._error and number % 5 == 0:
            raise self._error("no answer")
        if number % 3 == 0:
            return Rejection(id=assignment.id, check="declined", rationale="r")
        return _candidate(assignment, f"word{number} thing{number} of matter{number} please")


class Accept:
    async def __call__(self, candidate: Candidate) -> Proven | Rejection:
        await asyncio.sleep(0)
        return _proven(candidate)


def _line(quota: int) -> Line:
    order = plan(CHUNKS, CATEGORY, seed=0)
    return Line(category=CATEGORY, quota=quota, plan=order, per_document=2)


async def _build(author: Author, quota: int, concurrency: int) -> Built:
    return await build(
        [_line(quota)],
        author,  # type: ignore[arg-type]
        Accept(),
        concurrency=concurrency,
        watcher=Silent(),
        save=lambda _: None,
    )


async def test_concurrency_and_the_order_of_replies_change_nothing() -> None:
    chosen = []
    for seed, concurrency in enumerate([1, 4, 64]):
        built = await _build(Author(seed), quota=10, concurrency=concurrency)
        chosen.append([pair.id for pair in built.selections[CATEGORY].chosen])
    assert chosen[0] == chosen[1] == chosen[2]
    assert len(chosen[0]) == 10


async def test_a_plan_that_is_used_up_ends_the_run() -> None:
    author = Author(0)
    built = await _build(author, quota=100, concurrency=8)
    assert author.asked == len(CHUNKS)
    assert len(built.selections[CATEGORY].chosen) == len(CHUNKS) - 14


async def test_failures_are_counted_apart_and_cost_no_accepted_query() -> None:
    built = await _build(Author(0, ModelError), quota=10, concurrency=8)
    assert built.lines[0].failed > 0
    assert not built.lacking
    assert len(built.selections[CATEGORY].chosen) == 10


async def test_a_run_that_awaits_answers_stops_after_its_round() -> None:
    author = Author(0, Pending)
    built = await _build(author, quota=30, concurrency=8)
    assert built.waiting > 0
    assert author.asked < 2 * len(CHUNKS)


def _pairs(questions: list[str], hardness: list[float] | None = None) -> list[Proven]:
    order = plan(CHUNKS, CATEGORY, seed=0)
    values = hardness or [0.5] * len(questions)
    return [
        _proven(_candidate(assignment, question), value)
        for assignment, question, value in zip(order, questions, values, strict=False)
    ]


def test_near_duplicates_are_passed_over() -> None:
    pairs = _pairs(["who signs the red form for travel", "Who signs the red form, for travel?"])
    selection = select(pairs, CATEGORY, 5, Shelf(), per_document=2)
    assert [rejection.check for rejection in selection.passed_over] == ["duplicate"]


def test_an_opening_starts_no_more_than_its_share() -> None:
    questions = [f"how do i get word{n} thing{n} matter{n} place{n}" for n in range(20)]
    questions += [f"word{n} thing{n} of matter{n} please" for n in range(17)]
    selection = select(_pairs(questions), CATEGORY, 20, Shelf(), per_document=2)
    openings = [pair.candidate.question.startswith("how do i get") for pair in selection.chosen]
    assert (len(openings), sum(openings)) == (20, 3)  # 15 % of 20
    assert {rejection.check for rejection in selection.passed_over} == {"opening"}


def test_a_set_that_falls_short_bears_fewer_of_one_opening() -> None:
    questions = [f"how do i get word{n} thing{n} matter{n} place{n}" for n in range(3)]
    questions += [f"word{n} thing{n} of matter{n} please" for n in range(4)]
    selection = select(_pairs(questions), CATEGORY, 20, Shelf(), per_document=2)
    openings = [pair.candidate.question.startswith("how do i get") for pair in selection.chosen]
    assert (len(openings), sum(openings)) == (5, 1)


def test_out_of_database_is_spread_over_its_hardness() -> None:
    questions = [f"word{n} thing{n} of matter{n} please" for n in range(15)]
    hardness = [n / 15 for n in range(15)]
    selection = select(
        _pairs(questions, hardness), Category.OUT_OF_DATABASE, 10, Shelf(), per_document=2
    )
    chosen = [pair.hardness for pair in selection.chosen]
    assert len(chosen) == 10
    assert (min(chosen), max(chosen)) == (0, 14 / 15)


def test_one_document_gives_no_more_than_its_share() -> None:
    chunks = [chunk_of(f"one.md#{n}", "text") for n in range(6)]
    order = plan(chunks, CATEGORY, seed=0)
    pairs = [
        _proven(_candidate(one, f"word{n} thing{n} of matter{n} please"))
        for n, one in enumerate(order)
    ]
    selection = select(pairs, CATEGORY, 6, Shelf(), per_document=2)
    assert len(selection.chosen) == 2
    assert {rejection.check for rejection in selection.passed_over} == {"per_document"}


def test_the_retriever_of_these_tests_finds_by_words() -> None:
    assert WordRetriever(CHUNKS).search("number 7", 1)[0].chunk.id == "d07.md#0"
