"""Tables of English words."""

from functools import lru_cache
from importlib.resources import files

import yaml


@lru_cache
def table(name: str) -> dict[str, object]:
    """Return a table by name."""
    found: dict[str, object] = yaml.safe_load((files(__name__) / f"{name}.yaml").read_text("utf-8"))
    return found


@lru_cache
def words(name: str) -> frozenset[str]:
    """Return a word list of `english.yaml`."""
    return frozenset(str(table("english")[name]).split())


def templates(name: str, kind: str) -> list[str]:
    """Return a list of a table.

    Raises:
        TypeError: the entry is not a list.
    """
    entry = table(name)[kind]
    if not isinstance(entry, list):
        raise TypeError(f"{name}.yaml: {kind} is not a list")
    return [str(template) for template in entry]
