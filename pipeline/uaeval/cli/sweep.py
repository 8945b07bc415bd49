"""`uaeval sweep`: a grid of RAGs over one dataset, in one table."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli import options

LACKING = 6


def sweep(
    grid: Annotated[
        Path, typer.Argument(help="YAML file: settings of `evaluate`, and lists of them in `grid`.")
    ],
    concurrency: options.Concurrency = None,
    max_cost: options.MaxCost = None,
    max_calls: options.MaxCalls = None,
) -> None:
    """Evaluate every cell of a grid of built-in RAGs, and show them by joint score.

    Cells share what is retrieved and what models answered. Run the same command again to go on.

    Example: uaeval sweep grid.yaml
    """
    from uaeval.cli.progress import PhaseProgress
    from uaeval.cli.terminal import OUT, finish, say
    from uaeval.report.sweep import sweep_sheet
    from uaeval.report.terminal import draw, usage_table
    from uaeval.sweep.grid import read_grid
    from uaeval.sweep.run import run_sweep

    given = {"concurrency": concurrency, "max_cost": max_cost, "max_calls": max_calls}
    read = read_grid(grid, {name: value for name, value in given.items() if value is not None})
    with PhaseProgress() as progress:
        found = finish(run_sweep(read, progress.phase, progress.done))
    OUT.print(draw(sweep_sheet(found.ranked, found.comparisons, brief=True)))
    OUT.print(usage_table(found.usage, len(found.ranked)))
    say(f"The table is {read.folder / 'table.md'}")
    if found.failures:
        say(f"{found.failures} calls failed; run the same command to ask them again")
        raise typer.Exit(LACKING)
