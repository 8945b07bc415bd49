"""`uaeval score`: the scores of an evaluation with other weights or another policy."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.terminal import OUT, interruptible, say


def score(
    ctx: typer.Context,
    evaluation: Annotated[Path, typer.Argument(help="A folder DATASET/evaluations/<name>.")],
) -> None:
    """Compute the scores of an evaluation anew, without a call, and write its report.

    Example: uaeval score outputs/docs/evaluations/rag --weights 0.5,0.5
    """
    from uaeval.config import RescoreSettings, build
    from uaeval.report.rescoring import rescore
    from uaeval.report.terminal import render_scores

    with interruptible():
        scored = rescore(evaluation, build(RescoreSettings, **ctx.obj))
    OUT.print(render_scores(scored.scores, scored.blocked_counts))
    say(f"The report is {scored.folder / 'report.md'}")
