"""`uaeval compare`: evaluations over the same queries, pair by pair."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.terminal import OUT, interruptible, say


def compare(
    evaluations: Annotated[
        list[Path], typer.Argument(help="Two or more folders DATASET/evaluations/<name>.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write it all to this Markdown file.")
    ] = None,
    flips: Annotated[int, typer.Option(min=0, help="Flipped queries to show.")] = 20,
) -> None:
    """Compare evaluations query by query: what differs, how surely, and which queries flipped.

    Example: uaeval compare outputs/docs/evaluations/rag outputs/docs/evaluations/mine
    """
    from uaeval.evaluation.compare import compare as compared
    from uaeval.evaluation.flips import flips as flipped
    from uaeval.evaluation.recorded_evaluation import read_recorded
    from uaeval.report.comparison import comparison_report, comparison_tables, flip_table
    from uaeval.report.terminal import render
    from uaeval.storage import write_text

    with interruptible():
        runs = [read_recorded(folder) for folder in evaluations]
        found, changed = compared(runs), flipped(runs)
        OUT.print(render(*comparison_tables(found, brief=True)))
        if changed and flips:
            OUT.print(render(flip_table(changed, flips)))
    if output:
        write_text(output, comparison_report(found, changed))
        say(f"The comparison is {output}")
