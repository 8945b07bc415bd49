"""The system `langchain`: a chain, a graph, an agent or a chat model."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import cast

from langchain_core.runnables import Runnable
from pydantic import JsonValue

from uaeval.config import HISTORY, QUESTION, EvaluationConfig
from uaeval.errors import ConfigError
from uaeval.records import Query
from uaeval.systems.extract import Paths
from uaeval.systems.http import fill
from uaeval.systems.kind import SystemKind
from uaeval.systems.python import PythonSystem
from uaeval.user_code import imported


class LangChainSystem(PythonSystem):
    """Invokes a LangChain runnable with the question, or with a template that contains it.

    The runnable returns a text, a message, a state whose last message is the answer, or a mapping
    with `answer` and optionally `context`; the settings may give other paths. A graph with
    `messages` receives the question as the user's message.
    """

    defaults = Paths(answer="answer", contexts="context", contexts_required=False)

    def __init__(self, config: EvaluationConfig, runnable: object) -> None:
        """Take the runnable; raise `ConfigError` if it is not a LangChain `Runnable`."""
        if not isinstance(runnable, Runnable):
            kind = type(runnable).__name__
            raise ConfigError(f"{config.system}: {kind} is not a LangChain Runnable")
        self._template = _template(runnable, config) if config.body is None else config.body
        super().__init__(config, cast("Runnable[object, object]", runnable).ainvoke)
        self.source_hash = None  # what a runnable does is not in the source of its class

    def _bound(self, query: Query) -> Callable[[], object]:
        return partial(self._function, fill(self._template, query))


def _template(runnable: object, config: EvaluationConfig) -> JsonValue:
    """Return the input for a runnable; raise `ConfigError` for a graph without `messages`."""
    channels = getattr(runnable, "channels", ())
    if "messages" in channels:
        return {"messages": [HISTORY, {"role": "user", "content": QUESTION}]}
    # LangGraph's own channels are called `__start__` or `branch:to:…`; without others, the graph
    # takes any value.
    if fields := [name for name in channels if name.isidentifier() and not name.startswith("__")]:
        raise ConfigError(
            f"{config.system}: the state of the graph ({', '.join(fields)}) has no `messages`; "
            f'give its input, such as --body \'{{"{fields[0]}": "{QUESTION}"}}\''
        )
    return QUESTION


KIND: SystemKind = SystemKind(
    name="langchain",
    argument="<module>:<object>",
    settings=frozenset({"body", "answer_path", "contexts_path"}),
    open=lambda config, _path, _queries: nullcontext(
        LangChainSystem(config, imported(config.system, KIND.form))
    ),
)
