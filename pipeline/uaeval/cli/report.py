"""`uaeval report`: evaluations as one HTML file to share."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from uaeval.cli.terminal import interruptible, say

_BESIDE = "report.html beside the first run's report.md"


class ReportCommand(TyperCommand):
    """The command, in which `--html` may end the line without a path."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line."""
        return super().parse_args(ctx, [*args, ""] if args[-1:] == ["--html"] else args)


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(help="Folders DATASET/evaluations/<name>; or DATASET, if it has only one."),
    ],
    html: Annotated[
        str,
        typer.Option(
            "--html",
            metavar="<path>",
            help=f"The HTML file to write; where the line ends without a path, {_BESIDE}.",
        ),
    ],
) -> None:
    """Write a report that people can share: one HTML file, readable without a network.

    Several evaluations of one dataset are compared query by query.

    Example: uaeval report outputs/docs/evaluations/rag --html report.html
    """
    from uaeval.evaluation.recorded_evaluation import only_evaluation
    from uaeval.report.html.page import report_page
    from uaeval.report.reading import read_run
    from uaeval.report.text import visible
    from uaeval.storage import write_text

    with interruptible():
        folders = [only_evaluation(folder) for folder in runs]
        path = Path(html) if html else folders[0] / "report.html"
        write_text(path, report_page([read_run(folder) for folder in folders]))
    size = path.stat().st_size / 1e6
    say(f"The report is {visible(str(path))} ({size:.1f} MB); open it in any browser")
