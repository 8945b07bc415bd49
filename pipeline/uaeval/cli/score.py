"""`uaeval score`: recompute the scores of an evaluation."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.terminal import OUT, say


def score(
    ctx: typer.Context,
    evaluation: Annotated[Path, typer.Argument(help="A folder DATASET/evaluations/<name>.")],
) -> None:
    """Recompute the scores of an evaluation from its judgements, without calling a model.

    Example: uaeval score outputs/docs/evaluations/rag --weights 0.5,0.5
    """
    from uaeval.config import RescoreSettings
    from uaeval.report.overview import headline
    from uaeval.report.rescoring import rescore
    from uaeval.report.terminal import render_scores

    scored = rescore(evaluation, ctx.obj.configure(RescoreSettings))
    OUT.print(render_scores(scored.scores, scored.blocked_counts))
    say(headline(scored.scores))
    say(f"The report is {scored.folder / 'report.md'}")
