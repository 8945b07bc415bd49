"""What a kind of system under test declares."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TypeAlias

from uaeval.config import EvaluationConfig
from uaeval.records import Query
from uaeval.systems.system import System

Open: TypeAlias = Callable[
    [EvaluationConfig, str, Sequence[Query]], AbstractAsyncContextManager[System]
]


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
    open: Open | None = None
    """Returns the system for the settings, the argument and the queries, for use in `async with`.
    `None` for `rag`, which the evaluation opens with its own model."""

    @property
    def form(self) -> str:
        """What to write after `--system`."""
        argument = f":{self.argument}" if self.argument else ""
        return f"{self.name}[{argument}]" if self.optional else self.name + argument
