"""A system of another package: open it, and ask it."""

import contextlib
from collections.abc import AsyncIterator, Callable, Iterator

from uaeval.config import EvaluationConfig
from uaeval.errors import ConfigError, TargetError, UaevalError, UsageError
from uaeval.records import Query
from uaeval.systems.attempts import RetriedSystem
from uaeval.systems.system import Answer, Opened, System
from uaeval.user_code import CallOutcome, described


def opened_plugin(config: EvaluationConfig, open_system: Callable[[], Opened]) -> Opened:
    """Return the system of another package; raise `ConfigError` if the package cannot open it."""
    with _opening(config):
        opened = open_system()
    return _entered(config, opened)


@contextlib.asynccontextmanager
async def _entered(config: EvaluationConfig, opened: Opened) -> AsyncIterator[System]:
    async with contextlib.AsyncExitStack() as stack:
        with _opening(config):
            system = PluginSystem(config, await stack.enter_async_context(opened))
        yield system


@contextlib.contextmanager
def _opening(config: EvaluationConfig) -> Iterator[None]:
    """Raise `ConfigError` if a plugin fails to open its system in the block."""
    with CallOutcome() as outcome:
        yield
    if isinstance(outcome.error, UsageError):
        raise outcome.error
    if outcome.error:
        message = f"{config.system}: cannot open the system ({described(outcome.error)})"
        raise ConfigError(message) from outcome.error


class PluginSystem(RetriedSystem):
    """A system of another package; any exception of its code is a failure of one query.

    `CallOutcome` catches all but requests to stop the program, as that code may raise anything.
    """

    def __init__(self, config: EvaluationConfig, system: System) -> None:
        super().__init__(config, again_after_timeout=False)
        self.name = system.name
        self._system = system

    async def send(self, query: Query) -> Answer:
        """Ask once; raise `TargetError` after any error of the system that is not one of ours."""
        with CallOutcome() as outcome:
            outcome.value = await self._system.answer(query)
        value, error = outcome.value, outcome.error
        if isinstance(value, Answer):
            return value
        if isinstance(error, UaevalError):
            raise error
        returned = f"it returned {value!r:.200}; its `answer` should return an `Answer`"
        problem = described(error) if error else returned
        raise TargetError(f"{self.name}: {problem}", raw=problem) from error
