"""Tables of templates, and the choice of one by a hash: the same text always gives the same."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TypeVar

import yaml

T = TypeVar("T")


@lru_cache
def table(name: str) -> dict[str, object]:
    """Return a table by name."""
    found: dict[str, object] = yaml.safe_load((files(__name__) / f"{name}.yaml").read_text("utf-8"))
    return found


def templates(name: str, kind: str) -> list[str]:
    """Return a list of a table.

    Raises:
        TypeError: the entry is not a list.
    """
    entry = table(name)[kind]
    if not isinstance(entry, list):
        raise TypeError(f"{name}.yaml: {kind} is not a list")
    return [str(template) for template in entry]


def pick(choices: Sequence[T], seed: str) -> T:
    """Return one of `choices`; each is about as frequent over many seeds."""
    digest = hashlib.blake2b(seed.encode("utf-8"), digest_size=8).digest()
    return choices[int.from_bytes(digest) % len(choices)]
