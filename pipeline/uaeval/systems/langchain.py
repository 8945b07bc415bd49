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
        template: JsonValue = QUESTION
        if "messages" in getattr(runnable, "channels", ()):
            template = {"messages": [HISTORY, {"role": "user", "content": QUESTION}]}
        self._template = template if config.body is None else config.body
        super().__init__(config, cast("Runnable[object, object]", runnable).ainvoke)

    def _bound(self, query: Query) -> Callable[[], object]:
        return partial(self._function, fill(self._template, query))


KIND: SystemKind = SystemKind(
    name="langchain",
    argument="<module>:<object>",
    settings=frozenset({"body", "answer_path", "contexts_path"}),
    open=lambda config, _path, _queries: nullcontext(
        LangChainSystem(config, imported(config.system, KIND.form))
    ),
)
