"""English words by what they do in a sentence: the lists of `english.yaml`."""

from functools import cache
from importlib.resources import files

import yaml


@cache
def _lists() -> dict[str, str]:
    found: dict[str, str] = yaml.safe_load((files(__package__) / "english.yaml").read_text("utf-8"))
    return found


@cache
def wordlist(name: str) -> frozenset[str]:
    """Return a list of words, lower-case."""
    return frozenset(_lists()[name].split())
