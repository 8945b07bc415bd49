import gc

import pytest

from uaeval.runner import THRESHOLD, keep_busy, rare_collections


def test_the_collector_is_left_as_it_was_found() -> None:
    before = gc.get_threshold()
    with pytest.raises(RuntimeError), rare_collections():
        assert gc.isenabled()
        assert gc.get_threshold() == (THRESHOLD, *before[1:])
        assert gc.get_freeze_count() > 0
        raise RuntimeError
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_overlapping_runs_leave_the_collector_as_they_found_it() -> None:
    before = gc.get_threshold()
    first, second = rare_collections(), rare_collections()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    second.__exit__(None, None, None)
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


async def test_loaded_objects_are_frozen_for_the_garbage_collector_until_the_work_ends() -> None:
    records, frozen = iter("ab"), list[int]()

    async def work(_: str) -> int:
        return gc.get_freeze_count()

    await keep_busy(lambda: next(records, None), work, concurrency=2, done=frozen.append)
    assert min(frozen) > 10_000
    assert gc.get_freeze_count() == 0
