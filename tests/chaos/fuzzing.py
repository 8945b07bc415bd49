"""Let readers read damaged files, and count what should not happen."""

import random
import resource
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from traceback import format_exception
from types import FrameType

from tests.chaos.mutations import mutated
from tests.chaos.readers import SECONDS, Reader, one_line

MOST_KILOBYTES = 1_000_000
"""Most memory of a process that reads damaged files."""
GRACE = 5.0
"""Seconds for ending a worker that took too long."""


class Hang(BaseException):
    """A reader took too long."""


@dataclass(kw_only=True)
class Findings:
    """The result of one reader."""

    reader: str
    tried: int = 0
    slowest: float = 0.0
    tracebacks: Counter[str] = field(default_factory=Counter)
    """By kind and place."""
    examples: dict[str, str] = field(default_factory=dict)


def fuzz(reader: Reader, times: int, seed: int = 0) -> Findings:
    """Give `reader` a number of damaged files."""
    chance = random.Random(f"{reader.name} {seed}")
    found = Findings(reader=reader.name)
    names = sorted(reader.seeds)
    for _ in range(times):
        name = chance.choice(names)
        try_one(reader, name, mutated(chance, reader.seeds[name]), found)
    return found


def try_one(reader: Reader, name: str, data: bytes, found: Findings) -> None:
    """Give `reader` one file, and note how that ends."""
    found.tried += 1
    started = time.monotonic()
    try:
        with at_most(SECONDS + GRACE):
            one_line(reader, name, data)
    except (Exception, Hang) as error:  # noqa: BLE001 - any error is what is looked for
        last = error.__traceback__
        while last and last.tb_next:
            last = last.tb_next
        code = last.tb_frame.f_code if last else None
        kind = f"{type(error).__name__} in {code.co_qualname if code else '?'}"
        found.tracebacks[kind] += 1
        found.examples.setdefault(kind, f"{name}: {''.join(format_exception(error))[-1500:]}")
    found.slowest = max(found.slowest, time.monotonic() - started)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `Hang` when the block takes longer."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hang(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def kilobytes() -> int:
    """Return the most memory that this process or one of its children had."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(each).ru_maxrss for each in who)
