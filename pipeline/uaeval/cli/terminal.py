"""What every command shares on the terminal: messages, exit codes and progress."""

from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from uaeval.redaction import redact
from uaeval.report.text import legible
from uaeval.run.progress import ProgressListener

if TYPE_CHECKING:
    from rich.progress import Progress

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


TENTHS = 10
_ENDINGS = {
    "Rejection": "rejected",
    "Failure": "failed",
    "Blocked": "blocked",
    "PendingRecord": "awaited",
}
"""By the class of an outcome; those classes take long to load."""
OUT = Console()
ERR = Console(stderr=True)


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


def bars() -> "Progress":
    """Return progress bars with counts and the time that is left; silent without a terminal."""
    from rich import progress

    return progress.Progress(
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[note]}"),
        progress.TimeElapsedColumn(),
        progress.TimeRemainingColumn(),
        console=ERR,
        disable=not ERR.is_terminal,
    )


def print_line(line: str) -> None:
    """Print a plain line where there is no terminal to show bars on."""
    if not ERR.is_terminal:
        ERR.print(escape(redact(line)), soft_wrap=True, highlight=False)


class StageProgress(ProgressListener):
    """One bar for each stage; without a terminal, a line each tenth."""

    def __init__(self) -> None:
        self._bars = bars()
        self._task = self._bars.add_task("starting", total=None, note="")
        self._ended: Counter[str] = Counter()
        self._done = self._tenths = 0
        self._total: int | None = None

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def started(self, stage: str, total: int | None = None) -> None:
        """Start a bar."""
        self._ended.clear()
        self._done, self._tenths, self._total = 0, 0, total
        self._bars.reset(self._task, total=total, description=escape(redact(stage)), note="")
        print_line(f"{stage} ({total})" if total else stage)

    def advanced(self, outcome: object, done: int | None = None, total: int | None = None) -> None:
        """Move the bar, and count how records ended."""
        self._done = self._done + 1 if done is None else done
        self._total = self._total if total is None else total
        if (ending := _ENDINGS.get(type(outcome).__name__, "kept")) != "kept" or done is None:
            self._ended[ending] += 1
        note = "  ".join(f"{ending} {count}" for ending, count in sorted(self._ended.items()))
        self._bars.update(self._task, completed=self._done, total=self._total, note=note)
        if self._total and self._done * TENTHS // self._total > self._tenths:
            self._tenths = self._done * TENTHS // self._total
            print_line(f"{self._done} of {self._total}" + (f"  ({note})" if note else ""))
