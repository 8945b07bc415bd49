"""`uaeval report`: evaluations as one HTML file to share."""

from pathlib import Path
from typing import Annotated

import typer


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(help="Folders DATASET/evaluations/<name>; or DATASET, if it has only one."),
    ],
    html: Annotated[Path, typer.Option("--html", help="The HTML file to write.")],
) -> None:
    """Write a report that people can share: one HTML file, readable without a network.

    Several evaluations of one dataset are compared query by query.

    Example: uaeval report outputs/docs/evaluations/rag --html report.html
    """
    from uaeval.cli.terminal import interruptible, say
    from uaeval.evaluation.recorded import only_evaluation
    from uaeval.report.html.page import report_page
    from uaeval.report.html.reading import read_run
    from uaeval.report.text import visible
    from uaeval.storage import write_text

    with interruptible():
        page = report_page([read_run(only_evaluation(folder)) for folder in runs])
        write_text(html, page)
    size = html.stat().st_size / 1e6
    say(f"The report is {visible(str(html))} ({size:.1f} MB); open it in any browser")
