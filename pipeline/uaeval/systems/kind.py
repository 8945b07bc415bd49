"""The kinds of system under test, and the system that the settings name (`python:app:answer`)."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from uaeval.config import EvaluationConfig, RagSettings, SystemSettings
from uaeval.errors import ConfigError
from uaeval.plugins import declared, registry
from uaeval.records import Query
from uaeval.systems.plugin_system import opened_plugin
from uaeval.systems.system import Opened, System
from uaeval.user_code import imported

RAG: Final = "rag"
PYTHON: Final = "python"
RECORDED: Final = "responses"
_MODULES: Final = (RAG, "http", "openai", PYTHON, "langchain", RECORDED)
"""The modules of this folder that declare a `KIND` of their name; loaded when it is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemKind:
    """A kind of system; packages add more with the entry-point group `uaeval.systems`."""

    name: str
    """What users write: `--system NAME`, or `--system NAME:ARGUMENT`."""
    argument: str = ""
    """Placeholder of the argument, such as `<model>`; empty if the kind takes none."""
    optional: bool = False
    """Whether the argument may be left out."""
    settings: frozenset[str] = frozenset()
    """The fields of `SystemSettings` and `RagSettings` that the kind uses; all kinds use
    `system_concurrency`."""
    open: Callable[[EvaluationConfig, str, Sequence[Query]], Opened] | None = None
    """Returns the system for the settings, the argument and the queries, for use in `async with`.
    `None` for `rag`, which the evaluation opens with its own model."""

    @property
    def form(self) -> str:
        """What to write after `--system`."""
        argument = f":{self.argument}" if self.argument else ""
        return f"{self.name}[{argument}]" if self.optional else self.name + argument


def kinds() -> Mapping[str, SystemKind]:
    """Return all kinds of systems by name: those of this package, then those of plugins."""
    return registry("uaeval.systems", SystemKind, map(_own, _MODULES))


def _own(name: str) -> SystemKind:
    return declared(f"uaeval.systems.{name}", "KIND", SystemKind)


def kind_of(config: EvaluationConfig) -> SystemKind:
    """Return the kind in the settings; raise `ConfigError` if it cannot be used with them."""
    name, colon, argument = config.system.partition(":")
    kind = _own(name) if name in _MODULES else kinds().get(name)
    if kind is None:
        forms = ", ".join(known.form for known in kinds().values())
        raise ConfigError(f"unknown system {config.system!r}; write {forms}")
    complete = bool(argument) if colon else kind.optional or not kind.argument
    if not complete or (colon and not kind.argument):
        raise ConfigError(f"system {config.system!r}: write {kind.form}")
    settings = {*SystemSettings.model_fields, *RagSettings.model_fields} - {"system_concurrency"}
    changed = settings & config.model_dump(exclude_defaults=True).keys()
    if refused := sorted(changed - kind.settings):
        raise ConfigError(f"{', '.join(refused)}: the system {name} takes no such setting")
    return kind


def content_hash(config: EvaluationConfig, opened: System | None = None) -> str | None:
    """Return the SHA-256 of the recorded responses, or of the source of the user's function.

    Return `None` for other systems. `opened` is the system if it is open already.
    """
    kind, _, path = config.system.partition(":")
    if kind == RECORDED:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    if kind == PYTHON and opened is None:
        opened = from_object(config, imported(config.system, _own(kind).form))
    return getattr(opened, "source_hash", None)


def own_system(config: EvaluationConfig, queries: Sequence[Query]) -> Opened | None:
    """Return the user's own system, for use in `async with`; `None` for the built-in RAG.

    Raises:
        ConfigError: a setting cannot be used, or the user's code or plugin fails.
        StorageError: recorded responses cannot be read, or are for other queries.
    """
    kind, argument = kind_of(config), config.system.partition(":")[2]
    if kind.name == RAG:
        return None
    if kind.open is None:
        raise ConfigError(f"{kind.name}: its package declares no `open`")
    open_system = partial(kind.open, config, argument, queries)
    return open_system() if kind.name in _MODULES else opened_plugin(config, open_system)


def name_of(system: object) -> str:
    """Return the name of a function or runnable, in the form of the setting `system`."""
    from langchain_core.runnables import Runnable

    kind = "langchain" if isinstance(system, Runnable) else PYTHON
    named = system if hasattr(system, "__qualname__") else type(system)
    return f"{kind}:{named.__module__}:{getattr(named, '__qualname__', 'system')}"


def from_object(config: EvaluationConfig, target: object) -> System:
    """Return a function or runnable as a system; raise `ConfigError` if it is neither."""
    from uaeval.systems.langchain import LangChainSystem
    from uaeval.systems.python import PythonSystem

    kind = PythonSystem if kind_of(config).name == PYTHON else LangChainSystem
    return kind(config, target)
