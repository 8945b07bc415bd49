"""The errors of packages that read other machines and stores, which may be anything."""

from collections.abc import Iterator
from contextlib import contextmanager

from uaeval.errors import KnowledgeBaseError, UaevalError
from uaeval.user_code import CallOutcome, described

_LONGEST = 150
"""Characters of an address and of a reason."""


@contextmanager
def reported(address: str, extra: str | None = None) -> Iterator[None]:
    """Raise what a package raises as one error with the address; `extra` is what installs it."""
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
