"""`uaeval view`: serve a page that shows runs."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.arguments import Annotators, Port
from uaeval.cli.terminal import say
from uaeval.errors import ConfigError


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

    if not folder.is_dir():
        raise ConfigError(f"there is no folder {folder}; give a folder with runs in it")
    app = view_app(folder, size=size, seed=seed)
    server = PageServer(app, annotators or [getuser()], port=port)
    for name, address in server.addresses.items():
        say(f"{name} sees the runs in {folder} at\n  {address}")
    say("Ctrl-C ends it.")
    server.run()
