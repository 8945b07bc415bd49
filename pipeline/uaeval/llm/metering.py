"""Who pays for which call: a model that writes down what each question was billed for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from uaeval.llm.ledger import Ledger
from uaeval.llm.model import Model, R, T
from uaeval.llm.parameters import Usage
from uaeval.prompts import Field


class CallCount:
    """The calls made for one question: one, and a further one for each repair."""

    def __init__(self) -> None:
        self.used = Usage()


_OPEN: Final[ContextVar[CallCount | None]] = ContextVar("bill", default=None)


@contextmanager
def billed() -> Iterator[CallCount]:
    """Collect what is charged inside, also if it ends in an error."""
    bill = CallCount()
    token = _OPEN.set(bill)
    try:
        yield bill
    finally:
        _OPEN.reset(token)


def charge(used: Usage) -> None:
    """Put calls on the bill that is open here; where nobody asked for one they go uncounted."""
    bill = _OPEN.get()
    if bill is not None:
        bill.used += used


class MeteredModel:
    """Any model that is paid by the call, counted in a ledger and stopped at its limits."""

    def __init__(self, inner: Model, ledger: Ledger) -> None:
        self._inner = inner
        self._ledger = ledger

    @property
    def name(self) -> str:
        """The inner model's name."""
        return self._inner.name

    async def ask(
        self,
        prompt_name: str,
        reply_type: type[R],
        parse: Callable[[R], T],
        /,
        **fields: Field,
    ) -> T:
        """Ask the inner model unless a limit is reached; count its calls, however they end."""
        with self._ledger.call(), billed() as bill:
            try:
                return await self._inner.ask(prompt_name, reply_type, parse, **fields)
            finally:
                self._ledger.count(self.name, prompt_name, bill.used)
