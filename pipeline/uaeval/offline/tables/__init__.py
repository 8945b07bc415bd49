"""Read the YAML tables, and choose templates by a hash of a text."""

import hashlib
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, TypeVar

from uaeval.resources import shipped_table

T = TypeVar("T")


def table(name: str) -> dict[str, Any]:
    """Return the table in a YAML file of this folder."""
    content: dict[str, Any] = shipped_table(f"offline/tables/{name}.yaml")
    return content


@cache
def patterns(name: str, section: str) -> dict[str, re.Pattern[str]]:
    """Return the patterns of one section of a table, by name, with their fragments filled in."""
    content = table(name)
    fragments = content.get("fragments", {})
    return {
        key: re.compile("|".join(f"(?:{_filled(line, fragments)})" for line in lines))
        for key, lines in content[section].items()
    }


def sign(name: str) -> re.Pattern[str]:
    """Return a pattern of `signs.yaml`."""
    return patterns("signs", "signs")[name]


def _filled(pattern: str, fragments: dict[str, str]) -> str:
    for name, fragment in reversed(fragments.items()):
        pattern = pattern.replace(f"{{{name}}}", fragment)
    return pattern


@lru_cache
def opposites() -> dict[str, str]:
    """Return words and their opposites, in both directions, as inflected in sentences."""
    pairs = [pair.split("/") for pair in table("false_presupposition")["opposites"].split()]
    return {first: second for pair in pairs for first, second in (pair, pair[::-1])}


def pick(choices: Sequence[T], seed: str) -> T:
    """Return one of `choices`, always the same for a seed, and uniform over many seeds."""
    digest = hashlib.blake2b(seed.encode("utf-8"), digest_size=8).digest()
    return choices[int.from_bytes(digest) % len(choices)]
