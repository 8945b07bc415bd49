"""A system that is a Python function or a LangChain runnable."""

import inspect
from collections.abc import Callable, Mapping
from typing import ClassVar, Final, cast

from langchain_core.runnables import Runnable
from pydantic import JsonValue

from uaeval.errors import BlockedError, ConfigError
from uaeval.llm.keys import scrub
from uaeval.llm.provider_errors import SHAPE_ERRORS, as_own_error
from uaeval.llm.transient import is_transient
from uaeval.systems.attempts import AttemptRunner, Fault, Limits, MisfitFault, PassingFault
from uaeval.systems.extract import Paths, answer_text
from uaeval.systems.system import Answer
from uaeval.systems.template import fill
from uaeval.systems.user_code import is_async, run
from uaeval.types import Query, ResponseStatus

_BLOCKED: Final = "blocked"


class PythonSystem:
    """Calls a function with the question.

    It returns the answer as a text, or a mapping with `answer` and, if it tells them, `contexts`
    (texts, or objects with a `text`); `blocked: True` says that a content filter stopped it.
    """

    usual: ClassVar[Paths] = Paths(answer="answer", contexts="contexts", contexts_required=False)
    """Where answer and contexts stand, unless paths say else."""

    def __init__(
        self, name: str, function: object, limits: Limits, *, paths: Paths | None = None
    ) -> None:
        """Take the function.

        Raises:
            ConfigError: it is none that takes one question.
        """
        self.name = name
        self._function = _checked(name, function)
        self._paths = paths
        self._attempts = AttemptRunner(name, limits, again_after_timeout=is_async(function))

    async def answer(self, query: Query) -> Answer:
        """Call the function.

        Raises:
            TargetError: it raised, took too long, or returned nothing that is an answer.
            ConfigError: nothing was answered so far, and what it returns is of another kind.
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


class LangChainSystem(PythonSystem):
    """Invokes a LangChain runnable: a chain, a graph, an agent, a chat model.

    It is given the question, or what a template makes of it. What it gives back is a text, a
    message, or a mapping with `answer` and, if it tells them, `context`, unless paths say else.
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
        """Take the runnable.

        Raises:
            ConfigError: it is none.
        """
        if not isinstance(runnable, Runnable):
            raise ConfigError(f"{name}: {type(runnable).__name__} is no LangChain Runnable")

        async def invoke(question: str) -> object:
            filled = fill("{question}" if template is None else template, question)
            return await cast("Runnable[object, object]", runnable).ainvoke(filled)

        super().__init__(name, invoke, limits, paths=paths)

    def _is_blocked(self, value: object) -> bool:
        return False


def read(value: object, given: Paths | None, usual: Paths) -> Answer:
    """Return the answer in what user's code gave back.

    Raises:
        MisfitFault: there is none.
    """
    if given is None and not isinstance(value, Mapping):
        if value is not None and not isinstance(value, str) and not hasattr(value, "text"):
            kind = type(value).__name__
            raise MisfitFault(f"it gave back {kind}; a text, or a mapping with `answer`, is read")
        return Answer(text=answer_text(value))
    text, contexts = (given or usual).read(value)
    return Answer(text=text, contexts=contexts)


def blocked_or_raise(error: BaseException) -> Answer:
    """Return a blocked answer if the error tells of a content filter.

    Raises:
        PassingFault: another attempt may succeed.
        Fault: none will.
    """
    if isinstance(error, Exception) and isinstance(as_own_error(error, ""), BlockedError):
        return Answer(text="", status=ResponseStatus.BLOCKED)
    told = scrub(" ".join(f"{type(error).__name__}: {error}".split()))
    if _may_pass(error):
        raise PassingFault(told)
    raise Fault(told, raw=told)


def _may_pass(error: BaseException) -> bool:
    """Say whether the error is one of the network, or an endpoint's that asks for patience."""
    if isinstance(error, OSError):
        return isinstance(error, ConnectionError | TimeoutError)
    return not isinstance(error, SHAPE_ERRORS) and is_transient(error)


def _checked(name: str, function: object) -> Callable[[str], object]:
    if inspect.isclass(function) or not callable(function):
        raise ConfigError(f"{name} is no function; name one that takes a question")
    try:
        inspect.signature(function).bind("question")
    except TypeError as error:
        raise ConfigError(f"{name} should take one question ({error})") from error
    except ValueError:  # a builtin without a signature: calling it will show
        return function
    return function
