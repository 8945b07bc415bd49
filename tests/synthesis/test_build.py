"""The flow of candidates: always the same bytes, no idle slot, bounded waste."""

import asyncio
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from types import FrameType
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.synthesis.conftest import WordRetriever
from tests.synthesis.worlds import CHUNKS, World, fixed, lines, quick, sampled, straggling, varying

from uaeval.categories.names import BUILT_IN
from uaeval.errors import ModelError, RunAborted
from uaeval.records import Assignment, Candidate, Failure, Query, Rejection
from uaeval.run.progress import ProgressListener
from uaeval.run_folder import Manifest, RunFolder
from uaeval.runner import PendingRecord
from uaeval.storage import read_journal, write_journal
from uaeval.synthesis.build import Scheduler, build, now_and_then
from uaeval.synthesis.category_progress import (
    BuildResult,
    CandidateResult,
    CategoryProgress,
    batch_size,
)
from uaeval.synthesis.dataset import rows, stage_counts, write_journals
from uaeval.synthesis.select import DuplicateIndex, Selector
from uaeval.synthesis.verify import Proven

CATEGORY = "false_presupposition"


async def _build(
    world: World,
    of: Sequence[CategoryProgress],
    concurrency: int,
    *,
    batch: bool = False,
    save: Callable[[BuildResult], None] = lambda _: None,
    on_final: Callable[[BuildResult], None] = lambda _: None,
    end_now: bool = False,
) -> BuildResult:
    return await build(
        of,
        world.generate,
        world.verify,
        concurrency=concurrency,
        batch=batch,
        progress=ProgressListener(),
        save=save,
        on_final=on_final,
        end_now=end_now,
    )


def _in_order(world: World, of: Sequence[CategoryProgress]) -> tuple[list[list[str]], int]:
    """Work through the plans one assignment at a time; return the selection and the attempts."""
    duplicates: list[DuplicateIndex] = []
    selected, tries = [], 0
    for line in of:
        duplicates = [*duplicates, DuplicateIndex()]
        selector = Selector(line.name, line.quota, line.per_document, duplicates)
        for assignment in line.plan:
            if not selector.missing:
                break
            tries += 1
            outcome = world.outcome(assignment)
            if isinstance(outcome, Proven):
                selector.put(outcome)
        selected.append([pair.id for pair in selector.selection().selected])
    return selected, tries


def _chosen(built: BuildResult) -> list[list[str]]:
    return [[pair.id for pair in one.selected] for one in built.selections.values()]


def _ended(built: BuildResult) -> int:
    return sum(one.outcome is not None for line in built.categories for one in line.started)


def _started(built: BuildResult) -> int:
    return sum(len(line.started) for line in built.categories)


@contextmanager
def undone() -> Iterator[list[int]]:
    """Note how many final outcomes each new selection needs less than the one before.

    A query of an earlier category may displace a near-duplicate, and that may make room for others:
    a selection is then full earlier in its plan than it was, which nobody could know.
    """
    fewer: list[int] = []
    select_again = Scheduler._select_again

    def noting(self: Scheduler, place: int) -> None:
        before = [line.offered for line in self.categories]
        select_again(self, place)
        after = [line.offered for line in self.categories]
        fewer.extend(max(0, was - now) for was, now in zip(before, after, strict=True))

    with patch.object(Scheduler, "_select_again", noting):
        yield fewer


@settings(deadline=None, max_examples=30)
@example(seed=542531, concurrency=7, quota=7, documents=4, failing=0.1)
@given(
    seed=st.integers(0, 10**6),
    concurrency=st.sampled_from([1, 2, 7, 64]),
    quota=st.integers(0, 8),
    documents=st.sampled_from([4, 25]),
    failing=st.sampled_from([0.0, 0.1]),
)
def test_the_selector_is_that_of_going_through_the_plans_one_by_one_and_waste_is_bounded(
    seed: int, concurrency: int, quota: int, documents: int, failing: float
) -> None:
    world = World(seed, quick(seed), failing=failing)
    of = lines(quota, documents=documents)
    selected, tries = _in_order(world, of)
    with undone() as fewer:
        built = asyncio.run(_build(world, of, concurrency))
    assert _chosen(built) == selected
    assert tries <= _started(built) <= tries + concurrency + sum(fewer)
    assert len(world.asked) == len(set(world.asked)) == _started(built)


def _dataset(built: BuildResult) -> tuple[Query, ...]:
    manifest = Manifest.model_construct(
        models={"generator": "g", "verifier": "v"}, prompts=defaultdict(str)
    )
    return rows(built, WordRetriever(CHUNKS), manifest, {})


async def test_the_dataset_is_the_same_to_the_byte_whatever_the_concurrency(tmp_path: Path) -> None:
    written = []
    for seed, concurrency in enumerate([1, 5, 64]):
        built = await _build(World(1, quick(seed)), lines(20), concurrency)
        path = tmp_path / f"{concurrency}.jsonl"
        write_journal(path, Query, _dataset(built))
        written.append(path.read_bytes())
    assert written[0] == written[1] == written[2]
    assert written[0].count(b"\n") == 2 * 20 * len(BUILT_IN)


@pytest.mark.parametrize(
    ("concurrency", "latency"),
    [
        (8, fixed(100)),
        (8, straggling(0)),
        (64, varying(0)),
    ],
)
async def test_as_many_calls_are_in_flight_as_may_be_from_the_first_to_the_last(
    concurrency: int, latency: Callable[[], int]
) -> None:
    world = World(0, latency, most_at_once=concurrency)
    with sampled(world) as samples:
        built = await _build(world, lines(50), concurrency)
    assert sum(len(one.selected) for one in built.selections.values()) == 300
    assert max(samples) == concurrency
    assert sum(samples) / len(samples) >= 0.9 * concurrency


class Follower(ProgressListener):
    """Inspects a run after each attempt."""

    def __init__(self, of: Sequence[CategoryProgress], world: World) -> None:
        self._of = of
        self._world = world
        self.when_first_full: list[float] = []
        """How full each line is when the first of them is full."""
        self.calls_when_all_full = 0

    def advanced(self, outcome: object, done: int | None = None, total: int | None = None) -> None:
        built = BuildResult.of(self._of)
        missing = [one.missing for one in built.selections.values()]
        if 0 in missing and not self.when_first_full:
            self.when_first_full = [len(one.selector.usable) / one.quota for one in self._of]
        if not any(missing) and not self.calls_when_all_full:
            assert done == total
            self.calls_when_all_full = self._world.calls


async def _followed(seed: int) -> tuple[Follower, World]:
    world, of = World(seed, fixed(3)), lines(10)
    follower = Follower(of, world)
    await build(
        of,
        world.generate,
        world.verify,
        concurrency=8,
        batch=False,
        progress=follower,
        save=lambda _: None,
        on_final=lambda _: None,
    )
    return follower, world


async def test_lines_fill_up_together() -> None:
    emptiest = [min((await _followed(seed))[0].when_first_full) for seed in range(12)]
    assert min(emptiest) >= 0.6
    assert sum(emptiest) / len(emptiest) >= 0.75


def test_a_category_whose_assignments_make_more_calls_starts_ahead() -> None:
    categories = lines(40, "nonsensical", "safety_concerned")
    categories[1].calls = 3
    schedule = Scheduler(categories, concurrency=20, batch=False)
    taken = filter(None, (schedule.take() for _ in range(20)))
    started = Counter(result.assignment.category for result in taken)
    assert started == {"nonsensical": 8, "safety_concerned": 12}


async def test_no_call_begins_once_all_lines_are_full() -> None:
    follower, world = await _followed(0)
    assert follower.calls_when_all_full == world.calls


async def test_once_the_selector_is_settled_no_call_begins_and_those_in_flight_are_kept() -> None:
    world, told = World(0, varying(0), most_at_once=8), list[BuildResult]()
    calls: list[int] = []
    ended: list[int] = []

    def settled(built: BuildResult) -> None:
        told.append(built)
        calls.append(world.calls)
        ended.append(_ended(built))
        world.close()

    built = await _build(world, lines(10), 8, on_final=settled)
    assert len(told) == 1
    assert _chosen(told[0]) == _chosen(built) == _in_order(World(0), lines(10))[0]
    assert calls == [world.calls]
    assert _ended(built) > ended[0]
    assert world.in_flight == 0


async def test_each_selection_is_reported_once_also_for_an_exhausted_plan() -> None:
    told = list[BuildResult]()
    built = await _build(World(0), lines(100, CATEGORY), 8, on_final=told.append)
    assert [_chosen(one) for one in told] == [_chosen(built)]


async def test_an_order_to_stop_is_raised_as_long_as_the_selector_is_open() -> None:
    world, told = World(0), list[BuildResult]()
    world.close()
    with pytest.raises(RunAborted):
        await _build(world, lines(10), 8, on_final=told.append)
    assert not told


async def test_an_exhausted_plan_ends_the_run() -> None:
    world, of = World(0), lines(100, CATEGORY)
    built = await _build(world, of, concurrency=8)
    assert len(world.asked) == len(of[0].plan)
    assert not built.lacking
    assert 0 < len(built.selections[CATEGORY].selected) < 100


async def test_failures_cost_no_accepted_query_and_leave_the_run_lacking() -> None:
    built = await _build(World(0, failing=0.2), lines(10, CATEGORY), concurrency=8)
    assert built.categories[0].failed > 0
    assert built.lacking
    assert len(built.selections[CATEGORY].selected) == 10


async def test_calls_that_fail_after_the_quota_is_full_were_not_needed() -> None:
    clean = await _build(World(0), lines(10, CATEGORY), concurrency=1)
    world, of = World(0, varying(0)), lines(10, CATEGORY)
    last = len(clean.categories[0].started)
    working = world.generate

    async def generate(assignment: Assignment) -> Candidate | Rejection:
        written = await working(assignment)
        if assignment.id > of[0].plan[last - 1].id:
            raise ModelError("no route", raw="x")
        return written

    world.generate = generate  # type: ignore[method-assign]
    built = await _build(world, of, concurrency=16)
    assert any(isinstance(each.outcome, Failure) for each in built.categories[0].started)
    assert not built.lacking
    assert _chosen(built) == _chosen(clean)


async def test_a_category_with_too_few_queries_because_calls_failed_is_lacking() -> None:
    built = await _build(World(0, failing=0.2), lines(100, CATEGORY), concurrency=8)
    assert built.lacking


async def test_an_outage_stops_the_run_and_leaves_what_was_there_before() -> None:
    world, saved = World(0), list[BuildResult]()
    working = world.generate

    async def generate(assignment: Assignment) -> Candidate | Rejection:
        if len(world.asked) > 30:
            raise ModelError("no route")
        return await working(assignment)

    world.generate = generate  # type: ignore[method-assign]
    with pytest.raises(RunAborted, match="20 calls in a row failed"):
        await _build(world, lines(100, CATEGORY), 4, save=saved.append)
    assert len(saved) == 1
    assert _ended(saved[0]) >= 30
    assert saved[0].selections[CATEGORY].selected


async def test_an_interrupted_run_saves_what_has_ended_and_later_ends_the_same() -> None:
    saved: list[BuildResult] = []
    world = World(4, quick(4))
    running = asyncio.create_task(_build(world, lines(20), 8, save=saved.append))
    while len(world.asked) < 60:
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert 40 < _ended(saved[0]) < 60
    assert world.in_flight == 0
    again = await _build(World(4, quick(5)), lines(20), 8)
    assert _chosen(again) == _in_order(world, lines(20))[0]


async def _batches(seed: int) -> list[int]:
    """Return the sizes of a run's batches; the run ends like one in live mode."""
    world, there = World(seed), set[str]()
    asked: set[str] = set()

    def answered(question: str) -> bool:
        asked.add(question)
        return question in there

    world.answered = answered
    batches = []
    while True:
        of = lines(10)
        built = await _build(world, of, 8, batch=True)
        if not built.waiting:
            break
        batches.append(len(asked - there))
        there |= asked
    assert _chosen(built) == _in_order(world, lines(10))[0]
    return batches


async def test_a_batch_takes_what_is_expected_to_be_needed_and_ends_like_a_live_run() -> None:
    runs = [await _batches(seed) for seed in range(12)]
    assert {batches[0] for batches in runs} == {6 * ceil(10 / 0.9)}
    assert sum(map(len, runs)) / len(runs) <= 8


def test_few_missing_pairs_never_start_a_large_batch() -> None:
    assert batch_size(5, usable=1, tried=30) == 15
    assert batch_size(5, usable=14, tried=15) == 6
    assert batch_size(5, usable=1, tried=14) == 15
    assert batch_size(1, usable=0, tried=50) == 13
    assert batch_size(5, usable=0, tried=50) == 25
    assert batch_size(0, usable=3, tried=4) == 0


@pytest.mark.parametrize("seed", range(4))
async def test_every_answer_of_a_batch_is_recorded_and_counts_only_grow(seed: int) -> None:
    world, there, asked = World(seed), set[str](), set[str]()
    draw = random.Random(seed)

    def answered(question: str) -> bool:
        asked.add(question)
        return question in there

    world.answered = answered
    before = Counter[str]()
    while True:
        built = await _build(world, lines(10), 8, batch=True)
        answers = Counter(question.partition(" ")[0] for question in there)
        records = _recorded(built)
        assert records["generate"] == answers["generate"]
        assert records["verdict"] == answers["verify"]
        assert all(records[name] >= count for name, count in before.items())
        if not built.waiting:
            return
        before = records
        waiting = sorted(asked - there)
        there |= set(draw.sample(waiting, (len(waiting) + 1) // 2))


def _recorded(built: BuildResult) -> Counter[str]:
    """Count the records of the journals that record each answer of a model."""
    counts = Counter[str]()
    for line in built.categories:
        for attempt in line.started:
            final = not isinstance(attempt.outcome, PendingRecord)
            verdict = final and getattr(attempt.outcome, "check", "") != "unverified"
            counts["generate"] += attempt.candidate is not None or final
            counts["verdict"] += attempt.candidate is not None and verdict
    return counts


async def test_a_run_that_is_ended_selects_from_what_is_proven_by_then() -> None:
    world, asked = World(3), set[str]()

    def answered(question: str) -> bool:
        asked.add(question)
        return random.Random(question).random() < 0.6

    world.answered = answered
    built = await _build(world, lines(10), 8, batch=True)
    assert built.waiting
    ended = await _build(world, lines(10), 8, batch=True, end_now=True)
    assert not ended.waiting
    proven = _proven(ended)
    waited = _proven(built)
    assert proven == waited
    selected = {each for ids in _chosen(ended) for each in ids}
    assert selected <= proven
    assert len(selected) > sum(len(ids) for ids in _chosen(built))
    assert {
        attempt.outcome.check
        for line in ended.categories
        for attempt in line.started
        if isinstance(attempt.outcome, Rejection)
    } >= {"unverified", "declined"}


def _proven(built: BuildResult) -> set[str]:
    attempts = [attempt for line in built.categories for attempt in line.started]
    return {attempt.outcome.id for attempt in attempts if isinstance(attempt.outcome, Proven)}


async def test_a_partly_answered_batch_sends_nothing_new_until_the_rest_arrives() -> None:
    world, first = World(2), "generate false_presupposition-0001"
    world.answered = lambda _: False
    await _build(world, lines(10, CATEGORY), 8, batch=True)
    batch = len(world.asked)
    world.asked.clear()
    world.answered = lambda question: question != first
    built = await _build(world, lines(10, CATEGORY), 8, batch=True)
    assert (len(world.asked), built.waiting) == (batch, 1)


async def test_proven_pairs_beyond_the_quota_are_kept_as_spares(tmp_path: Path) -> None:
    built = await _build(World(0, varying(0)), lines(10, CATEGORY), 16)
    write_journals(RunFolder(tmp_path), built)
    proven = read_journal(tmp_path / "verify.jsonl", Proven)
    left = read_journal(tmp_path / "select.rejected.jsonl", Rejection)
    spares = {one.id for one in left if one.check == "spare"}
    last = built.selections[CATEGORY].selected[-1].id
    assert spares
    assert min(spares) > last
    assert {pair.id for pair in proven} == {one.id for one in left} | set(_chosen(built)[0])
    assert [pair.id for pair in proven] == sorted(pair.id for pair in proven)


async def test_journals_are_the_same_up_to_the_last_that_was_needed(tmp_path: Path) -> None:
    last = ""
    written = []
    for seed, concurrency in enumerate([1, 5, 64]):
        built = await _build(World(1, quick(seed), failing=0.05), lines(20), concurrency)
        last = built.selections[CATEGORY].selected[-1].id
        folder = RunFolder(tmp_path / str(concurrency))
        write_journals(folder, built)
        written.append({path.name: _until(path, last) for path in folder.path.iterdir()})
        counts = stage_counts(built)["select"][CATEGORY]
        assert (counts.kept, counts.waiting) == (20, 0)
    assert len(written[0]) == 9
    assert written[0] == written[1] == written[2]


def _until(journal: Path, last: str) -> list[str]:
    """Return the lines of one category up to an id."""
    every = journal.read_text(encoding="utf-8").splitlines()
    return [line for line in every if last >= str(json.loads(line)["id"]) > CATEGORY]


@pytest.mark.parametrize(("seconds", "saved"), [(0.0, 19), (0.05, 19), (0.2, 5)])
def test_saving_takes_no_more_than_a_hundredth_of_the_time(seconds: float, saved: int) -> None:
    now = 0.0
    times: list[float] = []

    def save() -> None:
        nonlocal now
        times.append(now)
        now += seconds

    save_if_due = now_and_then(save, lambda: now)
    while now < 100:
        save_if_due()
        now += 0.25
    assert len(times) == saved
    assert saved * seconds <= 0.01 * now


def _calls_to_keep_up_with(quota: int) -> tuple[int, int]:
    """Return the number of function calls for scheduling, and of ended assignments."""
    world, of = World(0), lines(quota)
    schedule = Scheduler(of, concurrency=8, batch=False)
    under_way: list[CandidateResult] = []
    calls = ended = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    while True:
        sys.setprofile(count)
        while len(under_way) < 8 and (result := schedule.take()):
            under_way.append(result)
        sys.setprofile(None)
        if not under_way:
            return calls, ended
        attempt = under_way.pop((ended * 7) % len(under_way))
        attempt.outcome = world.outcome(attempt.assignment)
        sys.setprofile(count)
        schedule.record(attempt)
        schedule.progress()
        sys.setprofile(None)
        ended += 1


def test_keeping_the_selector_up_to_date_takes_few_calls_for_each_assignment() -> None:
    calls, ended = _calls_to_keep_up_with(120)
    assert ended >= 1_200
    assert calls / ended < 3_000, "selecting anew after each assignment takes over 500,000"
