"""Messages, tables, exit codes and progress of all commands."""

import re
from collections.abc import Callable, Coroutine
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from rich.box import Box
from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from uaeval.redaction import redact
from uaeval.report.text import legible, visible
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
_RULES = Box("    \n    \n ── \n    \n ── \n    \n    \n    \n")
_LONG = 12  # a name of more characters is broken, after punctuation
_PART = re.compile(rf".{{1,{_LONG - 1}}}[-_./:@](?=.{{3}})")


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
    OUT.print(render(*tables))


def render(*tables: "ReportTable") -> Group:
    """Render the tables that have rows."""
    return Group(*(_drawn(table) for table in tables if table.rows))


def _drawn(table: "ReportTable") -> Padding:
    gap = 1 if len(table.columns) > 6 else 2  # many columns stand closer together
    drawn = Table(
        title=Text(table.title, style="bold"),
        caption=Text(table.note) if table.note else None,
        title_justify="left",
        caption_justify="left",
        box=_RULES,
        show_edge=False,
        pad_edge=False,
        padding=(0, gap - 1, 0, 0),
    )
    for place, column in enumerate(table.columns):
        justify: Literal["left", "right"] = "right" if column in table.numbers else "left"
        drawn.add_column(
            Text(_broken(column)), justify=justify, overflow="fold", no_wrap=place == 0
        )
    for place, row in enumerate(table.rows):
        if table.totals and place == len(table.rows) - table.totals:
            drawn.add_section()
        first, *others = (visible(cell) for cell in row)
        drawn.add_row(Text(first), *(Text(_broken(cell)) for cell in others))
    return Padding(drawn, (0, 0, 1, 0))


def _broken(text: str) -> str:
    """Return a long name without spaces with line feeds after its punctuation."""
    return text if len(text) <= _LONG or " " in text else _PART.sub(r"\g<0>\n", text)


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
