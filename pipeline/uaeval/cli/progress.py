"""Show a run as it works: bars with counts on a terminal, plain lines elsewhere."""

from collections import Counter
from collections.abc import Mapping
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
from uaeval.runner import PendingRecord
from uaeval.synthesis.category_progress import CandidateResult
from uaeval.types import Blocked, Category, Failure, Rejection

TENTHS = 10


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


class ProgressBar:
    """One bar that is started and stopped with a `with` block."""

    def __init__(self) -> None:
        self._bars = bars()
        self._ended: Counter[str] = Counter()
        self._task = self._bars.add_task("starting", total=None, note="")

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def _start(self, description: str, count: int | None, line: str) -> None:
        self._ended.clear()
        self._bars.reset(self._task, total=count, description=escape(description), note="")
        self._print(line)

    def _print(self, line: str) -> None:
        """Print a plain line where there is no terminal to show bars on."""
        if not ERR.is_terminal:
            ERR.print(escape(line), soft_wrap=True, highlight=False)

    def _count(self, ending: str) -> str:
        """Count an ending; return all counts."""
        self._ended[ending] += 1
        return "  ".join(f"{name} {count}" for name, count in sorted(self._ended.items()))


class PhaseProgress(ProgressBar):
    """Shows one bar per phase of an evaluation."""

    def phase(self, text: str, count: int) -> None:
        """Start a bar."""
        self._start(text, count or None, f"{text} ({count})" if count else text)

    def done(self, outcome: object) -> None:
        """Advance the bar."""
        self._bars.update(self._task, advance=1, note=self._count(_ending(outcome)))


class SynthesisProgress(ProgressBar):
    """A `ProgressListener` that shows how much is found of what is wanted."""

    def __init__(self) -> None:
        super().__init__()
        self._tenths = 0

    def step(self, text: str) -> None:
        """Show what is done now."""
        self._start(text, None, text)

    def start(self, quotas: Mapping[Category, int]) -> None:
        """Start a bar for the queries."""
        wanted = ", ".join(f"{number} {name}" for name, number in quotas.items() if number)
        self._start("writing queries", None, f"writing queries: {wanted}")

    def attempt(self, attempt: CandidateResult, found: int, wanted: int) -> None:
        """Move the bar; elsewhere than on a terminal, print a line for each further tenth."""
        note = self._count(_ending(attempt.outcome))
        self._bars.update(self._task, completed=found, total=wanted, note=note)
        if wanted and found * TENTHS // wanted > self._tenths:
            self._tenths = found * TENTHS // wanted
            self._print(f"{found} of {wanted} found  ({note})")


def _ending(outcome: object) -> str:
    match outcome:
        case Rejection():
            return "rejected"
        case Failure():
            return "failed"
        case Blocked():
            return "blocked"
        case PendingRecord():
            return "awaited"
        case _:
            return "kept"
