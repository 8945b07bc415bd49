"""Load lists of words and other tables from the YAML files of this folder."""

from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml


@cache
def table(name: str) -> Any:
    """Return the content of `<name>.yaml`."""
    return yaml.safe_load((files(__package__) / f"{name}.yaml").read_text("utf-8"))


@cache
def wordlist(name: str, file: str = "english") -> frozenset[str]:
    """Return a list of lower-case words from `<file>.yaml`."""
    return frozenset(table(file)[name].split())


ENGLISH_STOP_WORDS: Final = wordlist("english", "stopwords")
STOP_WORDS: Final = frozenset().union(*(wordlist(name, "stopwords") for name in table("stopwords")))
"""Stop words of some widely used languages."""
