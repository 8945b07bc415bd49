"""Cache what is computed from a passage."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, wraps
from typing import TypeVar

from uaeval.records import Passage

T = TypeVar("T")


def cached(function: Callable[[Passage], T]) -> Callable[[Passage], T]:
    """Cache a function of a passage; its result must not depend on the passage's number.

    Prompts number their passages from 1, so one passage has many numbers in a run.
    """
    by_text = lru_cache(maxsize=16384)(function)

    @wraps(function)
    def call(passage: Passage) -> T:
        return by_text(replace(passage, number=1))

    return call
