"""`uaeval sweep` and `uaeval grade`: several RAGs, or models, over one dataset in one table."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.terminal import OUT, exit_if_failed, finish, say
from uaeval.config import GradingConfig


def sweep(
    ctx: typer.Context,
    grid: Annotated[
        Path, typer.Argument(help="YAML file: settings of `evaluate`, and lists of them in `grid`.")
    ],
) -> None:
    """Evaluate every cell of a grid of built-in RAGs, and show them by joint score.

    Cells share retrieval and stored replies. Run the same command again to resume.

    Example: uaeval sweep grid.yaml
    """
    from uaeval.report.costs import usage_table
    from uaeval.report.sweep import sweep_table
    from uaeval.report.terminal import render
    from uaeval.sweep.grid import read_grid
    from uaeval.sweep.run import run_sweep

    read = read_grid(grid, ctx.obj.options)
    result = finish(partial(run_sweep, read))
    OUT.print(render(sweep_table(result.ranked, result.comparisons, brief=True)))
    OUT.print(render(usage_table(result.usage, len(result.ranked), "query")))
    say(f"The table is {read.folder / 'table.md'}")
    exit_if_failed(result.failures)


def grade(ctx: typer.Context) -> None:
    """Have models answer the dataset's controls with and without context, and grade them.

    Example: uaeval grade outputs/docs --models openai:gpt-4.1-mini --judges openai:gpt-4.1,offline
    """
    from uaeval.grading.files import summary_row
    from uaeval.grading.run import run_grading
    from uaeval.report.agreement import agreement_table, disagreement_table, grading_table
    from uaeval.report.costs import usage_table
    from uaeval.report.terminal import render

    config = ctx.obj.configure(GradingConfig)
    grading = finish(partial(run_grading, config))
    OUT.print(render(grading_table([summary_row(cell, grading.samples) for cell in grading.cells])))
    if grading.agreement.passes:
        OUT.print(render(agreement_table(grading.agreement.passes, grading.agreement.scores)))
        OUT.print(render(disagreement_table(grading.agreement.scores)))
    OUT.print(render(usage_table(grading.manifest.usage, grading.manifest.questions, "query")))
    say(f"The tables are in {grading.folder}")
    exit_if_failed(len(grading.failures))
