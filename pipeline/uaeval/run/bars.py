"""Progress on the screen: a bar in a terminal or a notebook, plain lines elsewhere."""

import warnings
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from time import monotonic
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.markup import escape

from uaeval.redaction import redact
from uaeval.run.progress import ProgressListener

if TYPE_CHECKING:
    from rich.progress import Progress

ERR = Console(stderr=True)
_REDRAWN_S = 0.25
"""Seconds between two drawings of a bar in a notebook."""
TENTHS = 10
_ENDINGS = {
    "Rejection": "rejected",
    "Failure": "failed",
    "Blocked": "blocked",
    "PendingRecord": "awaited",
}
"""By the class of an outcome; those classes take long to load."""


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
        redirect_stdout=Console().is_terminal,  # a redirected stdout keeps what is printed to it
        disable=not ERR.is_terminal,
    )


def print_line(line: str) -> None:
    """Print a plain line where there is nothing to show bars on."""
    if not (ERR.is_terminal or ERR.is_jupyter):
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
        self._redraw()

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
        self._redraw()

    def _redraw(self) -> None:
        """Do nothing: a terminal draws its bars by itself."""


class NotebookProgress(StageProgress):
    """A bar that a notebook draws anew in its place, with or without ipywidgets."""

    def __enter__(self) -> Self:
        from IPython.display import display

        self._place = display(self._bars, display_id=True)  # type: ignore[no-untyped-call]
        self._drawn = monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        self._place.update(self._bars)

    def _redraw(self) -> None:
        """Draw the bar unless that was done just now."""
        if monotonic() - self._drawn >= _REDRAWN_S:
            self._drawn = monotonic()
            self._place.update(self._bars)


def showing(wanted: bool | None) -> AbstractContextManager[ProgressListener]:
    """Return what shows progress; if that is `None`, only in a terminal or a notebook."""
    if ERR.is_jupyter:  # tqdm, which libraries load, asks for ipywidgets; our bar needs none
        warnings.filterwarnings("ignore", "IProgress not found")
    if not (ERR.is_terminal or ERR.is_jupyter if wanted is None else wanted):
        return nullcontext(ProgressListener())
    return NotebookProgress() if ERR.is_jupyter else StageProgress()
