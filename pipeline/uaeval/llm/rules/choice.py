"""Choices that look free and are always the same for the same text."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def seed(*parts: str) -> int:
    """Return a number that depends on nothing but the words of `parts`."""
    digest = hashlib.sha256("\x1f".join(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big")


def shuffled(items: Sequence[T], *parts: str) -> list[T]:
    """Return the items in an order that depends on `parts` alone."""
    keyed = [(seed(*parts, str(place)), place) for place in range(len(items))]
    return [items[place] for _, place in sorted(keyed)]
