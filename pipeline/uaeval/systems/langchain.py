"""The system `langchain`: a chain, a graph, an agent or a chat model."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Self, cast

from langchain_core.runnables import Runnable
from pydantic import JsonValue

from uaeval.config import HISTORY, QUESTION, EvaluationConfig
from uaeval.errors import ConfigError
from uaeval.records import Query
from uaeval.systems.attempts import Limits
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

    def __init__(
        self,
        name: str,
        runnable: object,
        limits: Limits,
        *,
        template: JsonValue = None,
        paths: Paths | None = None,
    ) -> None:
        """Take the runnable; `ConfigError` if it is not a LangChain `Runnable`."""
        if not isinstance(runnable, Runnable):
            raise ConfigError(f"{name}: {type(runnable).__name__} is not a LangChain Runnable")

        if template is None:
            messages: JsonValue = {"messages": [HISTORY, {"role": "user", "content": QUESTION}]}
            template = messages if "messages" in getattr(runnable, "channels", ()) else QUESTION
        self._template = template
        invoke = cast("Runnable[object, object]", runnable).ainvoke
        super().__init__(name, invoke, limits, paths=paths)

    @classmethod
    def of(cls, config: EvaluationConfig, runnable: object) -> Self:
        """Return the system that invokes `runnable`, with these settings."""
        paths = Paths.of(config)
        return cls(config.system, runnable, Limits.of(config), template=config.body, paths=paths)

    def _bound(self, query: Query) -> Callable[[], object]:
        return partial(self._function, fill(self._template, query))


KIND: SystemKind = SystemKind(
    name="langchain",
    argument="<module>:<object>",
    settings=frozenset({"body", "answer_path", "contexts_path"}),
    open=lambda config, _path, _queries: nullcontext(
        LangChainSystem.of(config, imported(config.system, KIND.form))
    ),
)
