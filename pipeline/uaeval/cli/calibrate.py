"""`uaeval calibrate`: compare the judge with human labels."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.arguments import OneEvaluation
from uaeval.cli.terminal import OUT, say


def calibrate(
    run: OneEvaluation,
    labels: Annotated[
        Path | None,
        typer.Option(
            help="File of human labels: CSV of `uaeval sample`, or labels.jsonl of `uaeval "
            "review`. [the evaluation's labels.jsonl]"
        ),
    ] = None,
) -> None:
    """Compare the judge with human labels, and correct its ratios for its mistakes.

    Example: uaeval calibrate outputs/docs/evaluations/rag --labels labels.csv
    """
    from uaeval.api import open_evaluation
    from uaeval.report.agreement import calibration_tables
    from uaeval.report.terminal import render

    result = open_evaluation(run).calibrate(labels)
    OUT.print(render(*calibration_tables(result.agreement, result.corrected)))
    if result.empty:
        say(f"{result.empty} items have no label; if there are many, the figures may be biased")
    say(f"The figures are in {result.path}")
