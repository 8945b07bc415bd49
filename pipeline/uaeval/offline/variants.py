"""Choose among variants by a hash, so that the same text always gives the same choice."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def pick(choices: Sequence[T], seed: str) -> T:
    """Return one of `choices`; each is about as frequent over many seeds."""
    digest = hashlib.blake2b(seed.encode("utf-8"), digest_size=8).digest()
    return choices[int.from_bytes(digest) % len(choices)]
