"""All export formats by name, in the order in which they are listed."""

from collections.abc import Mapping
from typing import Final

from uaeval.errors import ConfigError
from uaeval.formats.format import Format
from uaeval.plugins import declared, registry

_MODULES: Final = (
    "hf ragas deepeval inspect promptfoo giskard lm_eval langsmith beir squad2 uaeval4rag jsonl csv"
).split()
"""The modules of this folder that declare a `FORMAT`."""


def formats() -> Mapping[str, Format]:
    """Return all formats by name: those of this package, then those of plugins."""
    own = (declared(f"uaeval.formats.{name}", "FORMAT", Format) for name in _MODULES)
    return registry("uaeval.formats", Format, own)


def format_named(name: str) -> Format:
    """Return the format called `name`.

    Raises:
        ConfigError: the name is unknown.
    """
    known = formats()
    if name not in known:
        raise ConfigError(f"unknown format {name!r}; known formats: {', '.join(known)}")
    return known[name]
