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
    from uaeval.api import compare
    from uaeval.report.comparison import comparison_tables, flip_table
    from uaeval.report.terminal import render
    from uaeval.storage import write_text

    with interruptible():
        result = compare(*evaluations)
        OUT.print(render(*comparison_tables(result.figures, brief=True)))
        if result.flips and flips:
            OUT.print(render(flip_table(result.flips, flips)))
    if output:
        write_text(output, result.to_markdown())
        say(f"The comparison is {output}")
