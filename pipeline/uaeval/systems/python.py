"""The system `python`: a Python function."""

import inspect
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import ClassVar, Final, Self

from uaeval.config import EvaluationConfig
from uaeval.errors import BlockedError, ConfigError
from uaeval.llm.endpoint.errors import SHAPE_ERRORS, as_own_error, is_transient
from uaeval.systems.attempts import AttemptRunner, Fault, Limits, MisfitFault, PassingFault
from uaeval.systems.extract import Paths, answer_text, contexts
from uaeval.systems.frameworks import framework_answer
from uaeval.systems.kind import SystemKind
from uaeval.systems.system import Answer
from uaeval.systems.user_code import described, imported, is_async, run
from uaeval.types import Query, ResponseStatus

_BLOCKED: Final = "blocked"


class PythonSystem:
    """Calls a function with the question.

    It returns the answer as a text, or a mapping with `answer` and perhaps `contexts` (texts, or
    objects with a `text`), or what LangGraph, LlamaIndex or Haystack return; `blocked: True` says
    that a content filter stopped it.
    """

    usual: ClassVar[Paths] = Paths(answer="answer", contexts="contexts", contexts_required=False)
    """Paths of answer and contexts unless the settings give others."""

    def __init__(
        self, name: str, function: object, limits: Limits, *, paths: Paths | None = None
    ) -> None:
        """Check the function.

        Raises:
            ConfigError: it is not a function of one question.
        """
        self.name = name
        self._function = _checked(name, function)
        self._paths = paths
        self._attempts = AttemptRunner(name, limits, again_after_timeout=is_async(function))

    @classmethod
    def of(cls, config: EvaluationConfig, function: object) -> Self:
        """Return the system that calls `function`, with these settings."""
        return cls(config.system, function, Limits.of(config), paths=Paths.of(config))

    async def answer(self, query: Query) -> Answer:
        """Call the function.

        Raises:
            TargetError: it raised, timed out, or returned no answer.
            ConfigError: nothing was answered so far, and it returns another type.
        """
        return await self._attempts.make(lambda: self._call(query.question))

    async def _call(self, question: str) -> Answer:
        ending = await run(self._function, question)
        if ending.error:
            return blocked_or_raise(ending.error)
        if self._is_blocked(ending.value):
            return Answer(text="", status=ResponseStatus.BLOCKED)
        return read(ending.value, self._paths, self.usual)

    def _is_blocked(self, value: object) -> bool:
        return isinstance(value, Mapping) and value.get(_BLOCKED) is True


def read(value: object, given: Paths | None, usual: Paths) -> Answer:
    """Return the answer in the value that the user's code returned.

    Raises:
        MisfitFault: the value holds no answer.
    """
    if given is None and (known := framework_answer(value)):
        answer, passages = known
        return Answer(text=answer_text(answer), contexts=contexts(passages))
    if given is None and not isinstance(value, Mapping):
        if value is not None and not isinstance(value, str) and not hasattr(value, "text"):
            kind = type(value).__name__
            raise MisfitFault(f"it returned {kind}; return a text, or a mapping with `answer`")
        return Answer(text=answer_text(value))
    text, passages = (given or usual).read(value)
    return Answer(text=text, contexts=passages)


def blocked_or_raise(error: BaseException) -> Answer:
    """Return a blocked answer if the error is that of a content filter.

    Raises:
        PassingFault: another attempt may succeed.
        Fault: none will.
    """
    if isinstance(error, Exception) and isinstance(as_own_error(error, ""), BlockedError):
        return Answer(text="", status=ResponseStatus.BLOCKED)
    message = described(error)
    if _may_pass(error):
        raise PassingFault(message)
    raise Fault(message, raw=message)


def _may_pass(error: BaseException) -> bool:
    """Return whether it is a network error, or one that an endpoint asks to retry."""
    if isinstance(error, OSError):
        return isinstance(error, ConnectionError | TimeoutError)
    return not isinstance(error, SHAPE_ERRORS) and is_transient(error)


def _checked(name: str, function: object) -> Callable[[str], object]:
    if inspect.isclass(function) or not callable(function):
        raise ConfigError(f"{name} is not a function; name one that takes a question")
    try:
        inspect.signature(function).bind("question")
    except TypeError as error:
        raise ConfigError(f"{name} should take one question ({error})") from error
    except ValueError:  # a builtin without a signature: calling it will show
        return function
    return function


KIND: SystemKind = SystemKind(
    name="python",
    argument="<module>:<function>",
    settings=frozenset({"answer_path", "contexts_path"}),
    open=lambda config, _path, _queries: nullcontext(
        PythonSystem.of(config, imported(config.system, KIND.form))
    ),
)
