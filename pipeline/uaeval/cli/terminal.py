"""Messages, exit codes and progress of all commands."""

from collections.abc import Callable, Coroutine
from enum import IntEnum
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import Console
from rich.text import Text

from uaeval.redaction import redact
from uaeval.report.text import legible
from uaeval.run.bars import ERR, StageProgress
from uaeval.run.progress import ProgressListener

if TYPE_CHECKING:
    from uaeval.report.tables import ReportTable

T = TypeVar("T")


class ExitCode(IntEnum):
    """The exit codes of commands; the help of `uaeval` explains them."""

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
    """Print an error on standard error, without secrets, markup or invisible characters."""
    ERR.print(Text.assemble(("error: ", "bold red"), legible(redact(message))), soft_wrap=True)


def note(message: str) -> None:
    """Print a line on standard error, without secrets, markup or invisible characters."""
    ERR.print(Text(legible(redact(message))), soft_wrap=True)


def say(*messages: str) -> None:
    """Print lines on standard output, without secrets, markup or invisible characters."""
    for message in messages:
        OUT.print(Text(legible(redact(message))), soft_wrap=True)


def show_tables(*tables: "ReportTable") -> None:
    """Print the tables that have rows."""
    from uaeval.report.terminal import render

    OUT.print(render(*tables))


def say_text(template: str, **values: object) -> None:
    """Print a text of `cli/templates`."""
    from uaeval.report.text import environment

    text = environment("uaeval.cli").get_template(f"{template}.txt.jinja").render(values)
    say(*text.splitlines())


def finish(work: Callable[[ProgressListener], Coroutine[Any, Any, T]]) -> T:
    """Run `work` with a progress bar; return its result."""
    import asyncio

    with StageProgress() as progress:
        return asyncio.run(work(progress))
