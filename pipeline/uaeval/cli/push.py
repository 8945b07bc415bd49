"""`uaeval push`: publish a dataset on the Hugging Face Hub."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.arguments import License, PrettyName, WithoutPassages
from uaeval.cli.terminal import say, say_text
from uaeval.run.bars import ERR


def push(
    run: Annotated[Path, typer.Argument(help="The folder of a finished run.")],
    repository: Annotated[str, typer.Argument(help="namespace/name of the dataset on the Hub.")],
    public: Annotated[
        bool, typer.Option("--public", help="Make the dataset public instead of private.")
    ] = False,
    evaluation: Annotated[
        list[str] | None,
        typer.Option(
            "--evaluation",
            metavar="NAME",
            help="Add the scores of RUN/evaluations/NAME to the config `leaderboard`; repeatable.",
        ),
    ] = None,
    without_passages: WithoutPassages = False,
    license_name: License = None,
    name: PrettyName = None,
) -> None:
    """Publish the dataset of a run on the Hugging Face Hub, in one commit.

    The token is HF_TOKEN or that of `hf auth login`. After an interrupted upload, run it again.

    Example: uaeval push outputs/docs me/docs-unanswerable --license cc-by-4.0
    """
    from uaeval.formats.dataset import Dataset
    from uaeval.formats.hub import push as upload
    from uaeval.run_folder import RunFolder

    dataset = Dataset(
        RunFolder(run), with_passages=not without_passages, name=name, license=license_name
    )
    dataset.required_license()
    say_text(
        "publishing",
        total=dataset.summary(),
        repository=repository,
        public=public,
        with_passages=not without_passages,
    )
    address = upload(
        dataset, repository, public=public, bars=ERR.is_terminal, evaluations=evaluation or []
    )
    say(f"Published: {address}")
