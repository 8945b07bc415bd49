"""`uaeval compare`: compare evaluations of one dataset."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.terminal import OUT, say


def compare(
    evaluations: Annotated[
        list[Path], typer.Argument(help="Two or more folders DATASET/evaluations/<name>.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Also write a file: a page if it is .html, else Markdown."
        ),
    ] = None,
    flips: Annotated[
        int, typer.Option(min=0, help="Flipped queries to show of every two evaluations.")
    ] = 5,
) -> None:
    """Compare evaluations query by query: differences, their p-values, and queries that flipped.

    Example: uaeval compare outputs/docs/evaluations/rag outputs/docs/evaluations/mine
    """
    from uaeval.api import open_evaluation
    from uaeval.report.comparison import comparison_tables, flip_tables
    from uaeval.report.terminal import render
    from uaeval.storage import write_text

    first, *others = map(open_evaluation, evaluations)
    result = first.compare(*others)
    OUT.print(render(*comparison_tables(result.figures, brief=True)))
    if flips:
        rest = "are not shown: --flips NUMBER shows more, -o FILE writes all."
        OUT.print(render(*flip_tables(result.flips, flips, rest, brief=True)))
    if output:
        if output.suffix.lower() == ".html":
            first.report(*others, path=output)
        else:
            write_text(output, result.to_markdown())
        say(f"The comparison is {output}")
