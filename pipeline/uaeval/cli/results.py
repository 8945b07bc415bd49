"""`uaeval show`, `score`, `compare`, `report`, `sample`, `calibrate`: what evaluations hold."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from uaeval.cli.terminal import say, show_tables
from uaeval.errors import StorageError

OneEvaluation: TypeAlias = Annotated[
    Path,
    typer.Argument(help="A folder DATASET/evaluations/<name>; or DATASET, if it has only one."),
]


def show(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    samples: Annotated[int, typer.Option(help="Queries to show of each category.")] = 1,
) -> None:
    """Show what a run holds: counts, reasons, sample queries and the scores of evaluations."""
    from uaeval.evaluation.evaluation import read_scores
    from uaeval.evaluation.manifest import read_manifest
    from uaeval.report.costs import usage_table
    from uaeval.report.dataset import blocked_table, dataset_tables, sample_table
    from uaeval.report.overview import headline, overview_tables
    from uaeval.run_folder import RunFolder

    folder = RunFolder(run)
    manifest = folder.existing_manifest()
    folder.check()
    show_tables(*dataset_tables(manifest))
    say(*manifest.knowledge_base.omissions)
    if folder.queries_path.exists():
        show_tables(sample_table(folder.queries(), samples))
    for path in sorted(run.glob("evaluations/*/scores.json")):
        evaluation = read_manifest(path.with_name("manifest.json"))
        if evaluation and evaluation.sweep:
            continue
        say(f"\nevaluation {path.parent.name}")
        scores = read_scores(path)
        show_tables(*overview_tables(scores, brief=True))
        if evaluation:
            usage = usage_table(evaluation.usage, evaluation.queries, "query")
            show_tables(blocked_table(evaluation.blocked), usage)
        say(headline(scores))
    for path in sorted(run.glob("sweeps/*/table.md")):
        say(f"The table of the sweep {path.parent.name} is {path}")


def score(
    ctx: typer.Context,
    evaluation: Annotated[Path, typer.Argument(help="A folder DATASET/evaluations/<name>.")],
) -> None:
    """Recompute the scores of an evaluation from its judgements, without calling a model.

    Example: uaeval score outputs/docs/evaluations/rag --weights 0.5,0.5
    """
    from uaeval.config import RescoreSettings
    from uaeval.report.dataset import blocked_table
    from uaeval.report.overview import headline, overview_tables
    from uaeval.report.rescoring import rescore

    scored = rescore(evaluation, ctx.obj.configure(RescoreSettings))
    show_tables(*overview_tables(scored.scores, brief=True), blocked_table(scored.blocked_counts))
    say(headline(scored.scores))
    say(f"The report is {scored.folder / 'report.md'}")


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
    from uaeval.storage import write_text

    first, *others = map(open_evaluation, evaluations)
    result = first.compare(*others)
    show_tables(*comparison_tables(result.figures, brief=True))
    if flips:
        rest = "are not shown: --flips NUMBER shows more, -o FILE writes all."
        show_tables(*flip_tables(result.flips, flips, rest, brief=True))
    if output:
        if output.suffix.lower() == ".html":
            first.report(*others, path=output)
        else:
            write_text(output, result.to_markdown())
        say(f"The comparison is {output}")


def report(
    ctx: typer.Context,
    runs: Annotated[
        list[Path],
        typer.Argument(help="Folders DATASET/evaluations/<name>; or DATASET, if it has only one."),
    ],
) -> None:
    """Write a report that people can share: one HTML file, readable without a network.

    Several evaluations of one dataset are compared query by query.

    Example: uaeval report outputs/docs/evaluations/rag -o report.html
    """
    from uaeval.api import open_evaluation
    from uaeval.config import ReportSettings
    from uaeval.report.text import visible

    first, *others = map(open_evaluation, runs)
    path = first.report(*others, path=ctx.obj.configure(ReportSettings).output)
    size = path.stat().st_size / 1e6
    say(f"The report is {visible(str(path))} ({size:.1f} MB); open it in any browser")


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
    from uaeval.evaluation.labels.sampling import draw_sample, judged_metric_named

    if output.exists():
        raise StorageError(f"{output} exists already and may hold labels; choose another -o")
    chosen = {judged_metric_named(name.strip()) for name in metrics.split(",")}
    recorded = read_evaluation(only_evaluation(run))
    judgements = [judged for judged in recorded.judgements if judged.metric in chosen]
    drawn = draw_sample(recorded.queries, judgements, size, seed=seed)
    add_sampled(recorded.folder, drawn)
    write_sheet(output, drawn, {response.query_id: response for response in recorded.responses})
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
