"""All export formats by name, in the order in which they are listed."""

from collections.abc import Mapping

from uaeval.errors import ConfigError
from uaeval.formats import (
    beir,
    csv,
    deepeval,
    giskard,
    hf,
    inspect,
    jsonl,
    langsmith,
    lm_eval,
    promptfoo,
    ragas,
    squad2,
    uaeval4rag,
)
from uaeval.formats.format import Format
from uaeval.plugins import registry

_MODULES = (
    hf,
    ragas,
    deepeval,
    inspect,
    promptfoo,
    giskard,
    lm_eval,
    langsmith,
    beir,
    squad2,
    uaeval4rag,
    jsonl,
    csv,
)


def formats() -> Mapping[str, Format]:
    """Return all formats by name: those of this package, then those of plugins."""
    return registry("uaeval.formats", Format, (module.FORMAT for module in _MODULES))


def format_named(name: str) -> Format:
    """Return the format called `name`.

    Raises:
        ConfigError: the name is unknown.
    """
    known = formats()
    if name not in known:
        raise ConfigError(f"unknown format {name!r}; known formats: {', '.join(known)}")
    return known[name]
