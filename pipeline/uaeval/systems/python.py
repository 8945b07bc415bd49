"""The system `python`: a Python function."""

import inspect
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict, replace
from functools import partial
from typing import ClassVar, Final

from uaeval.config import EvaluationConfig
from uaeval.errors import BlockedError, ConfigError
from uaeval.llm.endpoint.errors import SHAPE_ERRORS, as_own_error, is_transient
from uaeval.records import Query
from uaeval.systems.attempts import Fault, MisfitFault, PassingFault, RetriedSystem
from uaeval.systems.extract import Paths, answer_text, contexts, is_blocked, part_of, tool_calls
from uaeval.systems.frameworks import framework_answer
from uaeval.systems.kind import SystemKind
from uaeval.systems.replies import reported_error
from uaeval.systems.system import BLOCKED, Answer
from uaeval.user_code import described, imported, is_async, run, source_hash

_HISTORY: Final = "history"


class PythonSystem(RetriedSystem):
    """Calls a function with the question.

    The function returns a text, a mapping with `answer` and optionally `contexts` (texts, or
    objects with a `text`), or a value of LangGraph, LlamaIndex or Haystack. `blocked: True` in a
    mapping means that a content filter stopped the model.
    """

    defaults: ClassVar[Paths] = Paths(answer="answer", contexts="contexts", contexts_required=False)
    """Paths of answer and contexts, if the settings have none."""

    def __init__(self, config: EvaluationConfig, function: object) -> None:
        """Take the function; raise `ConfigError` if it does not take exactly one question."""
        self._is_async = is_async(function)
        super().__init__(config, again_after_timeout=self._is_async)
        self._function, self._takes_history = _checked(self.name, function)
        self.source_hash = source_hash(function)
        self._paths = Paths.of(config)

    async def send(self, query: Query) -> Answer:
        """Call the function."""
        ending = await run(self._bound(query), in_thread=not self._is_async)
        if ending.error:
            return _blocked(ending.error)
        value = ending.value
        says_blocked = isinstance(value, Mapping) and value.get("blocked") is True
        if says_blocked or is_blocked(value):
            return BLOCKED
        if error := reported_error(value):
            raise PassingFault(f"the function reports an error: {error}")
        messages = value.get("messages") if isinstance(value, Mapping) else [value]
        calls = [part_of(message, "tool_calls") for message in messages or ()]
        return replace(self._read(value), tool_calls=tool_calls(calls))

    def _bound(self, query: Query) -> Callable[[], object]:
        """Return the call for a query, with its earlier turns if the function takes `history`."""
        if self._takes_history:
            return partial(self._function, query.question, history=[*map(asdict, query.history)])
        if query.history:
            raise MisfitFault(
                "the query has earlier turns; give the function a second parameter, `history`"
            )
        return partial(self._function, query.question)

    def _read(self, value: object) -> Answer:
        if self._paths is None and (known := framework_answer(value)):
            answer, passages = known
            return Answer(text=answer_text(answer), contexts=contexts(passages))
        if self._paths is not None or isinstance(value, Mapping):
            return (self._paths or self.defaults).read(value)
        if value is None or isinstance(value, str) or hasattr(value, "text"):
            return Answer(text=answer_text(value))
        kind = type(value).__name__
        raise MisfitFault(f"it returned {kind}; return a text, or a mapping with `answer`")


def _blocked(error: BaseException) -> Answer:
    """Return a blocked answer for the error of a content filter; raise a `Fault` for any other."""
    if isinstance(error, Exception) and isinstance(as_own_error(error, ""), BlockedError):
        return BLOCKED
    message = described(error)
    is_network = isinstance(error, ConnectionError | TimeoutError)
    if is_network or (not isinstance(error, (OSError, *SHAPE_ERRORS)) and is_transient(error)):
        raise PassingFault(message)
    raise Fault(message, raw=message)


def _checked(name: str, function: object) -> tuple[Callable[..., object], bool]:
    if inspect.isclass(function) or not callable(function):
        raise ConfigError(f"{name} is not a function; name one that takes a question")
    try:
        signature = inspect.signature(function)
        takes_history = _HISTORY in signature.parameters
        signature.bind("question", **({_HISTORY: []} if takes_history else {}))
    except TypeError as error:
        raise ConfigError(f"{name} should take one question ({error})") from error
    except ValueError:  # a builtin without a signature is only checked by calling it
        return function, False
    return function, takes_history


KIND: SystemKind = SystemKind(
    name="python",
    argument="<module>:<function>",
    settings=frozenset({"answer_path", "contexts_path"}),
    open=lambda config, _path, _queries: nullcontext(
        PythonSystem(config, imported(config.system, KIND.form))
    ),
)
