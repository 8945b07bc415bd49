import asyncio
from dataclasses import dataclass
from functools import partial

import pytest

from uaeval.errors import (
    BlockedError,
    ModelError,
    PendingReply,
    RecordError,
    ReplyError,
    RunAborted,
    TargetError,
)
from uaeval.records import Blocked, Failure, Rejection
from uaeval.runner import MOST_RAW, Attempts, PendingRecord, keep_busy


@dataclass(frozen=True)
class Item:
    id: str


ITEMS = [Item(f"i{n}") for n in range(12)]


async def test_as_many_calls_are_in_flight_as_allowed_until_none_is_left() -> None:
    under_way: dict[str, asyncio.Event] = {}
    items = iter(ITEMS)

    async def work(item: Item) -> str:
        under_way[item.id] = asyncio.Event()
        await under_way[item.id].wait()
        del under_way[item.id]
        return item.id

    ended: list[str] = []
    running = asyncio.create_task(
        keep_busy(lambda: next(items, None), work, concurrency=3, done=ended.append)
    )
    counts = []
    while len(ended) < len(ITEMS):
        for _ in range(5):
            await asyncio.sleep(0)
        counts.append(len(under_way))
        for event in list(under_way.values())[-1:]:
            event.set()
    await running
    assert counts == [*[3] * 10, 2, 1, 0]


async def test_ended_attempts_are_reported_before_a_free_slot_is_filled() -> None:
    known: list[str] = []
    todo = [ITEMS[0]]

    def done(ended: str) -> None:
        known.append(ended)
        if len(known) < 4:
            todo.append(ITEMS[len(known)])

    async def work(item: Item) -> str:
        await asyncio.sleep(0)
        return item.id

    await keep_busy(lambda: todo.pop() if todo else None, work, concurrency=2, done=done)
    assert known == ["i0", "i1", "i2", "i3"]


async def test_an_order_to_stop_stops_the_rest() -> None:
    items, ended = iter(ITEMS), list[str]()
    cancelled: list[str] = []

    async def work(item: Item) -> str:
        if item.id == "i1":
            raise RunAborted("wrong key")
        if item.id == "i0":
            return item.id
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            cancelled.append(item.id)
            raise
        return item.id

    with pytest.raises(RunAborted, match="wrong key"):
        await keep_busy(lambda: next(items, None), work, concurrency=4, done=ended.append)
    assert ended == ["i0"]
    assert sorted(cancelled) == ["i2", "i3"]


async def test_each_attempt_ends_in_one_way() -> None:
    async def work(item: Item) -> str | Rejection:
        match int(item.id[1:]) % 5:
            case 0:
                return "kept"
            case 1:
                return Rejection(id=item.id, check="c", rationale="r")
            case 2:
                raise ModelError("no answer")
            case 3:
                raise BlockedError("filtered")
            case _:
                raise PendingReply

    outcomes = [await Attempts()("stage", item.id, partial(work, item)) for item in ITEMS]
    kinds = [type(outcome).__name__ for outcome in outcomes]
    assert kinds[:5] == ["str", "Rejection", "Failure", "Blocked", "PendingRecord"]
    assert Failure(id="i2", stage="stage", kind="ModelError", message="no answer") in outcomes
    assert Blocked(id="i3", stage="stage", message="filtered") in outcomes
    assert PendingRecord("i4") in outcomes


async def test_a_failure_keeps_what_the_model_said_up_to_a_length() -> None:
    async def work(item: Item) -> str:
        raise ReplyError("no JSON", raw="x" * (MOST_RAW + 5 if item.id == "i1" else 5))

    short, long = [await Attempts()("stage", item.id, partial(work, item)) for item in ITEMS[:2]]
    assert isinstance(short, Failure)
    assert isinstance(long, Failure)
    assert short.raw == "xxxxx"
    assert long.raw == "x" * MOST_RAW + " … (5 more characters)"


async def test_a_bug_is_not_turned_into_a_failure_record() -> None:
    async def work(_item: Item) -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await Attempts()("stage", "i0", partial(work, ITEMS[0]))


async def _ends(attempts: Attempts, *errors: RecordError | None, stage: str = "s") -> None:
    """Attempt one record for each error, which its work raises; `None` is an answer."""

    async def work(error: RecordError | None) -> str:
        if error is not None:
            raise error
        return "an answer"

    for error in errors:
        await attempts(stage, "i", partial(work, error))


async def test_many_unanswered_calls_in_a_row_are_an_outage() -> None:
    attempts = Attempts()
    unanswered = [ModelError("no route to http://localhost:1/v1")] * (Attempts.MOST_IN_ROW - 1)
    await _ends(attempts, *unanswered, None, *unanswered)
    await _ends(attempts, None, stage="another")
    with pytest.raises(RunAborted, match=r"20 calls in a row failed; the last: no way\."):
        await _ends(attempts, TargetError("no way"))


@pytest.mark.parametrize(
    "error",
    [
        ReplyError("no JSON", raw="Hm."),
        TargetError("the system's model wrote no JSON", raw="Hm."),
        BlockedError("filtered"),
    ],
)
async def test_calls_answered_with_errors_are_not_an_outage(error: RecordError) -> None:
    await _ends(Attempts(), *[error] * (3 * Attempts.MOST_IN_ROW))


async def test_error_messages_can_be_written_as_text() -> None:
    async def fail() -> str:
        raise ReplyError("half \ud800", raw="\udfff")

    async def block() -> str:
        raise BlockedError("half \ud800")

    failed, blocked = await Attempts()("s", "i0", fail), await Attempts()("s", "i0", block)
    assert isinstance(failed, Failure)
    assert isinstance(blocked, Blocked)
    assert (failed.message, failed.raw, blocked.message) == ("half \ufffd", "\ufffd", "half \ufffd")
