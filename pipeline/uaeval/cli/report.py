"""`uaeval report`: write a report in one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.terminal import say


def report(
    ctx: typer.Context,
    runs: Annotated[
        list[Path],
        typer.Argument(help="Folders DATASET/evaluations/<name>; or DATASET, if it has only one."),
    ],
) -> None:
    """Write a report that people can share: one HTML file, readable without a network.

    Several evaluations of one dataset are compared query by query.

    Example: uaeval report outputs/docs/evaluations/rag -o report.html
    """
    from uaeval.api import open_evaluation
    from uaeval.config import ReportSettings
    from uaeval.report.text import visible

    first, *others = map(open_evaluation, runs)
    path = first.report(*others, path=ctx.obj.configure(ReportSettings).output)
    size = path.stat().st_size / 1e6
    say(f"The report is {visible(str(path))} ({size:.1f} MB); open it in any browser")
