"""`uaeval show`: show what a run holds."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.terminal import OUT, say


def show(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    samples: Annotated[int, typer.Option(help="Queries to show of each category.")] = 3,
) -> None:
    """Show what a run holds: counts, reasons, sample queries and the scores of evaluations."""
    from uaeval.evaluation.evaluation import read_scores
    from uaeval.evaluation.manifest import read_manifest
    from uaeval.report.costs import usage_table
    from uaeval.report.dataset import sample_table
    from uaeval.report.overview import headline
    from uaeval.report.terminal import render, render_dataset, render_scores
    from uaeval.run_folder import RunFolder

    folder = RunFolder(run)
    manifest = folder.existing_manifest()
    folder.check()
    OUT.print(render_dataset(manifest))
    say(*manifest.knowledge_base.omissions)
    if folder.queries_path.exists():
        OUT.print(render(sample_table(folder.queries(), samples)))
    for path in sorted(run.glob("evaluations/*/scores.json")):
        evaluation = read_manifest(path.with_name("manifest.json"))
        if evaluation and evaluation.sweep:
            continue
        say(f"\nevaluation {path.parent.name}")
        scores = read_scores(path)
        OUT.print(render_scores(scores, evaluation.blocked if evaluation else {}))
        if evaluation:
            OUT.print(render(usage_table(evaluation.usage, evaluation.queries, "query")))
        say(headline(scores))
    for path in sorted(run.glob("sweeps/*/table.md")):
        say(f"The table of the sweep {path.parent.name} is {path}")
