"""Turn any error of a package that reads a remote source into a `KnowledgeBaseError`."""

from collections.abc import Iterator
from contextlib import contextmanager

from uaeval.errors import KnowledgeBaseError, UaevalError
from uaeval.user_code import CallOutcome, described

_LONGEST = 150
"""Most characters of an address or a reason in a message."""


@contextmanager
def reported(address: str, extra: str | None = None) -> Iterator[None]:
    """Raise an error in the block as `KnowledgeBaseError`; `extra` installs a missing package."""
    with CallOutcome() as outcome:
        yield
    error, shown = outcome.error, address[:_LONGEST]
    if isinstance(error, UaevalError):
        raise error
    if extra and isinstance(error, ModuleNotFoundError):
        needed = f"needs an extra: pip install 'uaeval[{extra}]'"
        raise KnowledgeBaseError(f"{shown}: {needed} ({error})") from error
    if error:
        reason = described(error)[:_LONGEST]
        raise KnowledgeBaseError(f"{shown}: cannot be read ({reason})") from error
