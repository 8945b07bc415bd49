"""Lists of words and other tables that stand in the YAML files of this folder."""

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
    """Return a list of words, lower-case; those of `english.yaml` by what they do in a sentence."""
    return frozenset(table(file)[name].split())


ENGLISH_STOP_WORDS: Final = wordlist("english", "stopwords")
STOP_WORDS: Final = frozenset().union(*(wordlist(name, "stopwords") for name in table("stopwords")))
"""Words that carry little meaning of their own, in some widely used languages."""
