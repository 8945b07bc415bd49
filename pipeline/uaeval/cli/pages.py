"""`uaeval review` and `uaeval view`: serve pages to this machine."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from uaeval.cli.terminal import say, show_tables
from uaeval.errors import ConfigError

Annotators: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--annotator", help="An annotator; may be given several times. [your user name]"),
]
Port: TypeAlias = Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free port.")]


def review(
    run: Annotated[
        Path, typer.Argument(help="The folder of a run, or DATASET/evaluations/<name>.")
    ],
    annotators: Annotators = None,
    size: Annotated[
        int, typer.Option(min=1, help="Queries, and judgements of each evaluation, to review.")
    ] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    blind: Annotated[
        bool,
        typer.Option(
            "--blind/--open",
            help="Hide what verifier and judge say until the annotator has decided.",
        ),
    ] = True,
    port: Port = 0,
    results: Annotated[
        bool,
        typer.Option("--results", help="Show the results of earlier reviews, and serve no page."),
    ] = False,
) -> None:
    """Serve a page on which people label queries and judgements; only this machine can open it.

    Each annotator gets an address of their own and sees only their own labels. Each label is
    saved at once, in labels.jsonl of the run or of the evaluation. Ctrl-C ends the review and shows
    the results.

    Example: uaeval review outputs/docs --annotator anna --annotator ben --size 60
    """
    from getpass import getuser

    from pydantic_core import to_jsonable_python

    from uaeval.evaluation.labels.annotators import disagreements
    from uaeval.report.agreement import disputed_table, review_tables
    from uaeval.review.app import review_app
    from uaeval.review.tasks import figures, open_tasks
    from uaeval.serving import PageServer
    from uaeval.storage import write_json

    tasks = open_tasks(run, size, seed)
    if not results:
        app = review_app(run.resolve().name, tasks, blind=blind)
        server = PageServer(app, annotators or [getuser()], port=port)
        for task in tasks:
            say(f"{len(task.items)} of {len(task.kinds)} {task.title}")
        for name, address in server.addresses.items():
            say(f"{name} reviews at\n  {address}")
        say("Labels are saved as they are given. Ctrl-C ends the review.")
        server.run()
    for task in tasks:
        if not (rows := task.rows):
            say(f"No labels of {task.title}")
            continue
        shown = figures(task, rows)
        say(f"\n{task.title}")
        show_tables(*review_tables(**shown), disputed_table(disagreements(rows)))
        path = task.folder / "review.json"
        write_json(path, to_jsonable_python(shown))
        say(f"The figures are in {path}")


def view(
    folder: Annotated[
        Path, typer.Argument(help="A folder with runs in it, or that of one run.")
    ] = Path("outputs"),
    annotators: Annotators = None,
    port: Port = 0,
    size: Annotated[
        int,
        typer.Option(min=1, help="Size of a review: queries, and judgements of each evaluation."),
    ] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the sample of a review.")] = 0,
) -> None:
    """Serve a page that shows runs, also while they run; only this machine can open it.

    It lists runs and evaluations, shows queries with their evidence, responses and judgements,
    compares evaluations of one dataset, and leads to the review page. Each annotator gets an
    address of their own, under which their labels are saved. Ctrl-C ends it.

    Example: uaeval view outputs
    """
    from getpass import getuser

    from uaeval.serving import PageServer
    from uaeval.view.app import view_app
    from uaeval.view.runs import find_runs

    if not folder.is_dir():
        raise ConfigError(f"there is no folder {folder}; give a folder with runs in it")
    if not find_runs(folder)[0]:
        say(f"There is no run in {folder} yet; the page shows runs as they appear.")
    app = view_app(folder, size=size, seed=seed)
    server = PageServer(app, annotators or [getuser()], port=port)
    for name, address in server.addresses.items():
        say(f"{name} sees the runs in {folder} at\n  {address}")
    say("Ctrl-C ends it.")
    server.run()
