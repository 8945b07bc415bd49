"""Read the YAML tables, and choose templates by a hash of a text."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeVar

from uaeval.resources import shipped_table

T = TypeVar("T")


def table(name: str) -> dict[str, Any]:
    """Return the table in a YAML file of this folder."""
    content: dict[str, Any] = shipped_table(f"offline/tables/{name}.yaml")
    return content


@lru_cache
def opposites() -> dict[str, str]:
    """Return words and their opposites, in both directions, as inflected in sentences."""
    pairs = [pair.split("/") for pair in table("false_presupposition")["opposites"].split()]
    return {first: second for pair in pairs for first, second in (pair, pair[::-1])}


def pick(choices: Sequence[T], seed: str) -> T:
    """Return one of `choices`, always the same for a seed, and uniform over many seeds."""
    digest = hashlib.blake2b(seed.encode("utf-8"), digest_size=8).digest()
    return choices[int.from_bytes(digest) % len(choices)]
