"""Tables of templates, and the choice of one by a hash: the same text always gives the same."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, TypeVar

import yaml

T = TypeVar("T")


@lru_cache
def table(name: str) -> dict[str, Any]:
    """Return a table by name."""
    content: dict[str, Any] = yaml.safe_load((files(__name__) / f"{name}.yaml").read_text("utf-8"))
    return content


@lru_cache
def opposites() -> dict[str, str]:
    """Return words and their opposites, both ways, as they stand in sentences."""
    pairs = [pair.split("/") for pair in table("false_presupposition")["opposites"].split()]
    return {first: second for pair in pairs for first, second in (pair, pair[::-1])}


def pick(choices: Sequence[T], seed: str) -> T:
    """Return one of `choices`; each is about as frequent over many seeds."""
    digest = hashlib.blake2b(seed.encode("utf-8"), digest_size=8).digest()
    return choices[int.from_bytes(digest) % len(choices)]
