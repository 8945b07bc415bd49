import asyncio
from pathlib import Path

import pytest

from uaeval.storage import SharedSync


async def test_simultaneous_waiters_share_a_sync_and_later_ones_do_not(
    tmp_path: Path,
) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one")
    sync = SharedSync(path)
    first = [asyncio.create_task(sync.wait()) for _ in range(5)]
    await asyncio.sleep(0)
    shared = sync._next
    await asyncio.gather(*first)
    assert shared is not None
    assert shared.done()
    await sync.wait()
    assert sync._current is not shared


async def test_a_waiter_that_gives_up_does_not_stop_the_others(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one")
    sync = SharedSync(path)
    hasty, patient = asyncio.create_task(sync.wait()), asyncio.create_task(sync.wait())
    await asyncio.sleep(0)
    hasty.cancel()
    await patient


def test_a_loop_that_ends_while_others_wait_leaves_the_next_one_free(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one")
    sync = SharedSync(path)

    async def leave() -> None:
        left = [asyncio.create_task(sync.wait()) for _ in range(3)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in left)

    asyncio.run(leave())
    asyncio.run(sync.wait())


async def test_a_missing_file_is_an_error_for_all_who_wait(tmp_path: Path) -> None:
    sync = SharedSync(tmp_path / "nothing")
    outcomes = await asyncio.gather(sync.wait(), sync.wait(), return_exceptions=True)
    assert [type(each) for each in outcomes] == [FileNotFoundError] * 2
    with pytest.raises(FileNotFoundError):
        await sync.wait()
