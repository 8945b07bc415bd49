"""`uaeval grade`: grade open answers of models with and without context."""

from functools import partial

import typer

from uaeval.cli.terminal import exit_if_failed, finish, say, say_undecided, show_tables


def grade(ctx: typer.Context) -> None:
    """Have models answer the dataset's twins with and without context, and grade them.

    Example: uaeval grade outputs/docs --models openai:gpt-4.1-mini --judges openai:gpt-4.1,offline
    """
    from uaeval.config import GradingConfig
    from uaeval.grading.files import summary_row
    from uaeval.grading.run import run_grading
    from uaeval.report.agreement import grading_tables
    from uaeval.report.costs import usage_table

    config = ctx.obj.configure(GradingConfig)
    grading = finish(partial(run_grading, config))
    cells = dict.fromkeys(sample.cell for sample in grading.samples)
    rows = [summary_row(cell, grading.samples) for cell in cells]
    show_tables(*grading_tables(rows, grading.agreement.passes, grading.agreement.scores))
    show_tables(usage_table(grading.manifest.usage, grading.manifest.questions, "query"))
    say(f"The tables are in {config.folder}")
    exit_if_failed(len(say_undecided(grading.failures, "--judges")))
