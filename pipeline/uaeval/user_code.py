"""Import and run the user's code, and catch whatever it raises."""

import asyncio
import dis
import hashlib
import importlib
import inspect
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from functools import partial
from operator import attrgetter
from pathlib import Path
from types import CodeType
from typing import Any, Self

from uaeval.errors import ConfigError
from uaeval.redaction import redact


class CallOutcome:
    """The value that the user's code returned, or the error that it raised.

    Use it as a context manager. Ctrl-C and the cancellation of this task are not caught; a
    `CancelledError` that the user's code raises itself is.
    """

    def __init__(self) -> None:
        self.value: object = None
        self.error: BaseException | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        self.error = error
        if isinstance(error, asyncio.CancelledError):
            with suppress(RuntimeError):  # no loop runs in this thread
                task = asyncio.current_task()
                return task is None or not task.cancelling()
            return True
        in_main_thread = threading.current_thread() is threading.main_thread()
        return not (in_main_thread and isinstance(error, KeyboardInterrupt))


def described(error: BaseException | None) -> str:
    """Return type and message of an error of the user's code, on one line and redacted."""
    return redact(" ".join(f"{type(error).__name__}: {error}".split()))


def imported(system: str, form: str) -> object:
    """Import the object of `kind:module:object`; modules of the working directory come first.

    Raise `ConfigError` if the module or object does not exist, or the import fails.
    """
    module, _, path = system.partition(":")[2].partition(":")
    if not (module and path):
        raise ConfigError(f"{system}: write {form}")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    with CallOutcome() as outcome:
        outcome.value = importlib.import_module(module)
    if outcome.error:
        problem = described(outcome.error)
        raise ConfigError(f"{system}: cannot import {module} ({problem})") from outcome.error
    try:
        return attrgetter(path)(outcome.value)
    except AttributeError:
        raise ConfigError(f"{system}: {module} has no {path}") from None


async def run(call: Callable[[], object], *, in_thread: bool) -> CallOutcome:
    """Run a call here, or in a daemon thread, which cannot delay exit; await what it returns."""
    if in_thread:
        outcome = await _in_thread(call)
    else:
        with CallOutcome() as outcome:
            outcome.value = call()
    if inspect.isawaitable(outcome.value):
        value = outcome.value
        with CallOutcome() as outcome:
            outcome.value = await value
    return outcome


def source_hash(function: object) -> str | None:
    """Return the SHA-256 of the source of a function, or of the class of another callable.

    Texts, numbers and nothing else that a partial, defaults or a closure binds are included, except
    variables that the function itself assigns, such as counters. What the function calls is not.
    Return `None` if the source is not available.
    """
    bound: list[object] = []
    while isinstance(function, partial):
        bound += [*function.args, *function.keywords.values()]
        function = function.func
    code: Any = function if inspect.isroutine(function) else type(function)
    bound += getattr(code, "__defaults__", None) or ()
    bound += (getattr(code, "__kwdefaults__", None) or {}).values()
    if cells := getattr(code, "__closure__", None):
        assigned = _assigned(code.__code__)
        named = zip(code.__code__.co_freevars, cells, strict=True)
        with suppress(ValueError):  # a cell that is still empty
            bound += [cell.cell_contents for name, cell in named if name not in assigned]
    values = [value for value in bound if isinstance(value, str | int | float | None)]
    # A builtin, code typed into a console, and a function wrapped in itself have no source.
    with suppress(OSError, TypeError, ValueError):
        return hashlib.sha256(f"{inspect.getsource(code)}{values}".encode()).hexdigest()
    return None


def _assigned(code: CodeType) -> set[str]:
    """Return the variables of enclosing functions that `code` or a function in it assigns."""
    inner = (part for part in code.co_consts if isinstance(part, CodeType))
    stored = {step.argval for step in dis.get_instructions(code) if step.opname == "STORE_DEREF"}
    return stored.union(*map(_assigned, inner)).intersection(code.co_freevars)


def is_async(function: object) -> bool:
    """Return whether calling `function` returns a coroutine."""
    called = getattr(function, "__call__", None)  # noqa: B004 - the method is wanted, not the test
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)


async def _in_thread(call: Callable[[], object]) -> CallOutcome:
    future = Future[CallOutcome]()

    def work() -> None:
        with CallOutcome() as outcome:
            outcome.value = call()
        with suppress(InvalidStateError):  # nobody waits for it any more
            future.set_result(outcome)

    threading.Thread(target=work, daemon=True).start()
    return await asyncio.wrap_future(future)
