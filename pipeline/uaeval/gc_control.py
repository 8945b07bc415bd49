"""Fewer collections of cyclic garbage, while much is made and most of it goes by itself."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

THRESHOLD: Final = 20_000
"""Objects made, and not gone by themselves, after which the youngest are looked through."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Collect seldom inside, and leave alone what was there before.

    With Python's own settings a tenth of a run's time goes into looking, again and again, through
    everything that was imported and through what is in use for the length of a call.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(THRESHOLD, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
