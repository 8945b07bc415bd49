"""Show a run as it works: bars with counts on a terminal, plain lines elsewhere."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import TracebackType
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
from uaeval.runner import Waiting
from uaeval.synthesis.attempts import Attempt, Line
from uaeval.synthesis.select import Selection
from uaeval.types import Blocked, Category, Failure, Rejection


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


class _Bars:
    """One bar that is started and stopped with a `with` block."""

    def __init__(self) -> None:
        self._bars = bars()
        self._ended: Counter[str] = Counter()
        self._task = self._bars.add_task("starting", total=None, note="")

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()

    def _start(self, description: str, count: int | None, line: str) -> None:
        self._ended.clear()
        self._bars.reset(self._task, total=count, description=escape(description), note="")
        if not ERR.is_terminal:
            ERR.print(escape(line), soft_wrap=True, highlight=False)

    def _advance(self, ending: str) -> None:
        self._ended[ending] += 1
        note = "  ".join(f"{name} {count}" for name, count in sorted(self._ended.items()))
        self._bars.update(self._task, advance=1, note=note)


class PhaseProgress(_Bars):
    """Shows one bar per phase of an evaluation."""

    def phase(self, text: str, count: int) -> None:
        """Start a bar."""
        self._start(text, count or None, f"{text} ({count})" if count else text)

    def done(self, outcome: object) -> None:
        """Advance the bar."""
        self._advance(_ending(outcome))


class SynthesisProgress(_Bars):
    """A `Watcher` that shows rounds and attempts."""

    def __init__(self) -> None:
        super().__init__()
        self._round = 0

    def step(self, text: str) -> None:
        """Show what is done now."""
        self._start(text, None, text)

    def round(
        self, lines: Sequence[Line], selections: Mapping[Category, Selection], count: int
    ) -> None:
        """Start a bar for a round."""
        self._round += 1
        missing = {line.category: selections[line.category].missing for line in lines}
        wanted = ", ".join(f"{number} {name}" for name, number in missing.items() if number)
        line = f"round {self._round}: {count} passages to try; still wanted: {wanted}"
        self._start(f"round {self._round}", count, line)

    def attempt(self, attempt: Attempt) -> None:
        """Advance the bar."""
        self._advance(_ending(attempt.outcome))


def _ending(outcome: object) -> str:
    match outcome:
        case Rejection():
            return "rejected"
        case Failure():
            return "failed"
        case Blocked():
            return "blocked"
        case Waiting():
            return "awaited"
        case _:
            return "kept"
