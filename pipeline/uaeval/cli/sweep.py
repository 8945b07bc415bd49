"""`uaeval sweep`: evaluate every combination of a grid of settings."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.terminal import exit_if_failed, finish, say, show_tables


def sweep(
    ctx: typer.Context,
    grid: Annotated[
        Path, typer.Argument(help="YAML file: settings of `evaluate`, and lists of them in `grid`.")
    ],
) -> None:
    """Evaluate every combination of a grid of settings, and show them by joint score.

    Cells share retrieval and stored replies. Run the same command again to resume.

    Example: uaeval sweep grid.yaml
    """
    from uaeval.report.costs import usage_table
    from uaeval.report.sweep import sweep_tables
    from uaeval.sweep.grid import read_grid
    from uaeval.sweep.run import run_sweep

    cells = read_grid(grid, ctx.obj.options)
    result = finish(partial(run_sweep, cells))
    show_tables(sweep_tables(result.ranked, result.comparisons, brief=True)[0])
    show_tables(usage_table(result.usage, len(result.ranked), "query"))
    say(f"The table is {cells.folder / 'table.md'}")
    exit_if_failed(result.failures)
