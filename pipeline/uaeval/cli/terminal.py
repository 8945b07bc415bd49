"""What every command shares on the terminal: consoles, and one-line complaints."""

from collections.abc import Coroutine, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import typer
from rich.console import Console
from rich.text import Text

from uaeval.redaction import redact
from uaeval.report.text import legible

T = TypeVar("T")

DONE = 0
SHORT = 1
GATE_FAILED = 3
AWAITED = 5
LACKING = 6
INTERRUPTED = 130
OUT = Console()
ERR = Console(stderr=True)


def complain(message: str) -> None:
    """Print one error on standard error; nothing in it is secret, markup, hides or reorders."""
    ERR.print(Text.assemble(("error: ", "bold red"), legible(redact(message))), soft_wrap=True)


def say(message: str) -> None:
    """Print one plain line; nothing in it is secret, markup, hides or reorders."""
    OUT.print(Text(legible(redact(message))), soft_wrap=True)


def say_each(messages: Iterable[str]) -> None:
    """Print each on a line of its own."""
    for message in messages:
        say(message)


def say_awaited(folder: Path) -> None:
    """Print the commands that bring the answers that a run or evaluation awaits."""
    say(
        "Answers are awaited. Send the requests to the Batch API, and those of the rounds that "
        "follow, by\n"
        f"  uaeval batch fetch {folder} --all-rounds\n"
        "or this round alone, by\n"
        f"  uaeval batch submit {folder}\n"
        f"  uaeval batch fetch {folder} --wait\n"
        "or write them to a file and bring its answers back by\n"
        f"  uaeval batch export {folder} requests.jsonl\n"
        f"  uaeval batch import {folder} answers.jsonl"
    )


def exit_if_failed(count: int) -> None:
    """Print how many calls failed, if any did, and exit with `LACKING`."""
    if count:
        say(f"{count} calls failed; run the same command to ask them again")
        raise typer.Exit(LACKING)


def finish(work: Coroutine[Any, Any, T]) -> T:
    """Return what `work` returns; after Ctrl-C print how to resume, and exit with 130."""
    import asyncio

    with interruptible():
        return asyncio.run(work)


@contextmanager
def interruptible() -> Iterator[None]:
    """After Ctrl-C print how to resume, and exit with 130."""
    try:
        yield
    except KeyboardInterrupt:
        complain("interrupted; what was answered so far is kept, run the same command to go on")
        raise typer.Exit(INTERRUPTED) from None
