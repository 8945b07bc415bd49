"""`uaeval sample` and `uaeval calibrate`: have people label judgements, and compare the judge."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from uaeval.cli.terminal import say, show_tables
from uaeval.errors import StorageError

OneEvaluation: TypeAlias = Annotated[
    Path,
    typer.Argument(help="A folder DATASET/evaluations/<name>; or DATASET, if it has only one."),
]


def sample(
    run: OneEvaluation,
    output: Annotated[Path, typer.Option("-o", "--output", help="The CSV file to fill in.")],
    size: Annotated[int, typer.Option(min=1, help="Judgements to label.")] = 200,
    metrics: Annotated[
        str, typer.Option(help="What to label, comma-separated.")
    ] = "verdict,acceptable,correct",
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
) -> None:
    """Draw responses for people to label, evenly over categories and the judge's labels.

    Example: uaeval sample outputs/docs/evaluations/rag -o labels.csv
    """
    from uaeval.evaluation.evaluation import only_evaluation, read_evaluation
    from uaeval.evaluation.labels.label_files import add_sampled, write_sheet
    from uaeval.evaluation.labels.sampling import draw_sample, metric_named

    if output.exists():
        raise StorageError(f"{output} exists already and may hold labels; choose another -o")
    chosen = {metric_named(name.strip()) for name in metrics.split(",")}
    recorded = read_evaluation(only_evaluation(run))
    judgements = [judged for judged in recorded.judgements if judged.metric in chosen]
    drawn = draw_sample(recorded.queries, judgements, size, seed=seed)
    add_sampled(recorded.folder, drawn)
    responses = {response.query_id: response for response in recorded.responses}
    write_sheet(output, drawn, responses)
    say(
        f"{output} holds {len(drawn)} of {len(judgements)} judgements, without the judge's labels; "
        f"fill in the column `label`, then\n  uaeval calibrate {run} --labels {output}"
    )


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

    result = open_evaluation(run).calibrate(labels)
    show_tables(*calibration_tables(result.agreement, result.corrected))
    if result.empty:
        say(f"{result.empty} items have no label; if there are many, the figures may be biased")
    say(f"The figures are in {result.path}")
