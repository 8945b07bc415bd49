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
    """Invokes a LangChain runnable with the question, or with a template that holds it.

    It returns a text, a message, a state whose last message answers, or a mapping with `answer`
    and perhaps `context`, unless the settings give other paths. A graph with `messages` gets the
    question as the user's message.
    """

    usual = Paths(answer="answer", contexts="context", contexts_required=False)

    def __init__(self, config: EvaluationConfig, runnable: object) -> None:
        """Take the runnable; `ConfigError` if it is not a LangChain `Runnable`."""
        if not isinstance(runnable, Runnable):
            kind = type(runnable).__name__
            raise ConfigError(f"{config.system}: {kind} is not a LangChain Runnable")
        usual: JsonValue = QUESTION
        if "messages" in getattr(runnable, "channels", ()):
            usual = {"messages": [HISTORY, {"role": "user", "content": QUESTION}]}
        self._template = usual if config.body is None else config.body
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
