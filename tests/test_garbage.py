import gc

import pytest

from uaeval.synthesis.build import THRESHOLD, rare_collections


def test_the_collector_is_left_as_it_was_found() -> None:
    before = gc.get_threshold()
    with pytest.raises(RuntimeError), rare_collections():
        assert gc.isenabled()
        assert gc.get_threshold() == (THRESHOLD, *before[1:])
        assert gc.get_freeze_count() > 0
        raise RuntimeError
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
