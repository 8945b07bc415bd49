"""What every command shares on the terminal: messages, exit codes and progress."""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import Any, TypeVar

import typer
from rich.console import Console
from rich.text import Text

from uaeval.redaction import redact
from uaeval.report.text import legible
from uaeval.run.bars import ERR, StageProgress
from uaeval.run.progress import ProgressListener

T = TypeVar("T")


class ExitCode(IntEnum):
    """How a command ends, for scripts."""

    DONE = 0
    SHORT = 1
    UNUSABLE = 2
    GATE_FAILED = 3
    ABORTED = 4
    AWAITED = 5
    LACKING = 6
    INTERNAL = 70
    INTERRUPTED = 130


OUT = Console()


def complain(message: str) -> None:
    """Print one error on standard error; nothing in it is secret, markup, hides or reorders."""
    ERR.print(Text.assemble(("error: ", "bold red"), legible(redact(message))), soft_wrap=True)


def note(message: str) -> None:
    """Print a plain line on standard error."""
    ERR.print(Text(legible(redact(message))), soft_wrap=True)


def say(*messages: str) -> None:
    """Print each on a plain line; nothing in them is secret, markup, hides or reorders."""
    for message in messages:
        OUT.print(Text(legible(redact(message))), soft_wrap=True)


def say_awaited(folder: Path) -> None:
    """Print the commands that get the answers that a run or evaluation waits for."""
    say(
        f"{folder} waits for answers of the model. To send its requests and fetch the answers, in "
        "this round and all that follow:\n"
        f"  uaeval batch fetch {folder} --all-rounds\n"
        "The same for this round only:\n"
        f"  uaeval batch submit {folder}\n"
        f"  uaeval batch fetch {folder} --wait\n"
        "Or write the requests to a file, and import the answers from another:\n"
        f"  uaeval batch export {folder} requests.jsonl\n"
        f"  uaeval batch import {folder} answers.jsonl"
    )


def exit_if_failed(count: int) -> None:
    """Print how many calls failed, if any did, and exit with `LACKING`."""
    if count:
        say(f"{count} calls failed; run the same command to ask them again")
        raise typer.Exit(ExitCode.LACKING)


def finish(work: Callable[[ProgressListener], Coroutine[Any, Any, T]]) -> T:
    """Return what `work` returns, show its progress; end at Ctrl-C as `interruptible` does."""
    import asyncio

    with StageProgress() as progress, interruptible():
        return asyncio.run(work(progress))


@contextmanager
def interruptible() -> Iterator[None]:
    """After Ctrl-C print how to resume, and exit with 130."""
    try:
        yield
    except KeyboardInterrupt:
        complain("interrupted; what was answered so far is kept, run the same command to go on")
        raise typer.Exit(ExitCode.INTERRUPTED) from None
