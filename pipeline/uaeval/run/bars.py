"""Show progress as a bar in a terminal or a notebook, and as plain lines elsewhere."""

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
_ENDINGS = {
    "Rejection": "rejected",
    "Failure": "failed",
    "Blocked": "blocked",
    "PendingRecord": "awaited",
}
"""The shown word by name of the outcome's class, because these classes are slow to import."""


def bars() -> "Progress":
    """Return progress bars with counts and remaining time, disabled without a terminal."""
    from rich import progress

    return progress.Progress(
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[note]}"),
        progress.TimeElapsedColumn(),
        progress.TimeRemainingColumn(),
        console=ERR,
        redirect_stdout=Console().is_terminal,  # otherwise stdout is a file or pipe
        disable=not ERR.is_terminal,
    )


def print_line(line: str) -> None:
    """Print a plain line if bars cannot be shown."""
    if not (ERR.is_terminal or ERR.is_jupyter):
        ERR.print(escape(redact(line)), soft_wrap=True, highlight=False)


class StageProgress(ProgressListener):
    """One bar for each stage; without a terminal, a line for each tenth of a stage."""

    def __init__(self) -> None:
        self._bars = bars()
        self._task = self._bars.add_task("starting", total=None, note="")
        self._ended: Counter[str] = Counter()
        self._tenths = 0

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def started(self, stage: str, total: int | None = None) -> None:
        """Start the bar of a stage."""
        self._ended.clear()
        self._tenths = 0
        self._bars.remove_task(self._task)
        self._task = self._bars.add_task(escape(redact(stage)), total=total, note="")
        print_line(f"{stage} ({total})" if total else stage)
        self._redraw()

    def advanced(self, outcome: object, done: int | None = None, total: int | None = None) -> None:
        """Advance the bar, and count the outcome."""
        if (ending := _ENDINGS.get(type(outcome).__name__, "kept")) != "kept" or done is None:
            self._ended[ending] += 1
        note = "  ".join(f"{ending} {count}" for ending, count in sorted(self._ended.items()))
        [task] = self._bars.tasks
        completed = task.completed + 1 if done is None else done
        self._bars.update(self._task, completed=completed, total=total, note=note)
        tenths = int(task.completed * 10 // task.total) if task.total else 0
        if tenths > self._tenths:
            self._tenths = tenths
            print_line(f"{task.completed} of {task.total}" + (f"  ({note})" if note else ""))
        self._redraw()

    def _redraw(self) -> None:
        """Do nothing, because rich updates bars in a terminal itself."""


class NotebookProgress(StageProgress):
    """A bar that is updated in place in a notebook, with or without ipywidgets."""

    def __enter__(self) -> Self:
        from IPython.display import display

        self._place = display(self._bars, display_id=True)  # type: ignore[no-untyped-call]
        self._drawn = monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        self._place.update(self._bars)

    def _redraw(self) -> None:
        if monotonic() - self._drawn >= 0.25:
            self._drawn = monotonic()
            self._place.update(self._bars)


def showing(progress: bool | None) -> AbstractContextManager[ProgressListener]:
    """Return a listener that shows progress; for `None` only in a terminal or a notebook."""
    if ERR.is_jupyter:  # tqdm, which libraries import, warns without ipywidgets
        warnings.filterwarnings("ignore", "IProgress not found")
    if not (ERR.is_terminal or ERR.is_jupyter if progress is None else progress):
        return nullcontext(ProgressListener())
    return NotebookProgress() if ERR.is_jupyter else StageProgress()
