"""Show a run as it works: bars with counts on a terminal, plain lines elsewhere."""

from collections import Counter
from typing import Self

from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from uaeval.cli.terminal import ERR
from uaeval.records import Blocked, Failure, Rejection
from uaeval.redaction import redact
from uaeval.run.progress import ProgressListener
from uaeval.runner import PendingRecord

TENTHS = 10
_ENDINGS = {
    Rejection: "rejected",
    Failure: "failed",
    Blocked: "blocked",
    PendingRecord: "awaited",
}


def bars() -> Progress:
    """Return progress bars with counts and the time that is left; silent without a terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
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
        self._ended[_ENDINGS.get(type(outcome), "kept")] += 1
        note = "  ".join(f"{ending} {count}" for ending, count in sorted(self._ended.items()))
        self._bars.update(self._task, completed=self._done, total=self._total, note=note)
        if self._total and self._done * TENTHS // self._total > self._tenths:
            self._tenths = self._done * TENTHS // self._total
            print_line(f"{self._done} of {self._total}  ({note})")
