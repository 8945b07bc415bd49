"""What every command shares on the terminal: consoles, and one-line complaints."""

from collections.abc import Coroutine
from typing import Any, TypeVar

from rich.console import Console
from rich.text import Text

T = TypeVar("T")

INTERRUPTED = 130
OUT = Console()
ERR = Console(stderr=True)


def complain(message: str) -> None:
    """Print one error on standard error; nothing in it is read as markup."""
    ERR.print(Text.assemble(("error: ", "bold red"), message), soft_wrap=True)


def say(message: str) -> None:
    """Print one plain line; nothing in it is read as markup."""
    OUT.print(Text(message), soft_wrap=True)


def finish(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` to its end; Ctrl-C says how to go on and exits with 130."""
    import asyncio

    import typer

    try:
        return asyncio.run(work)
    except KeyboardInterrupt:
        complain("interrupted; what was answered so far is kept, run the same command to go on")
        raise typer.Exit(INTERRUPTED) from None
