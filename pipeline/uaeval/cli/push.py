"""`uaeval push`: the dataset of a run, to the Hugging Face Hub."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.export import License, PrettyName, WithoutPassages
from uaeval.cli.terminal import ERR, interruptible, say


def push(
    run: Annotated[Path, typer.Argument(help="The folder of a finished run.")],
    repository: Annotated[str, typer.Argument(help="namespace/name of the dataset on the Hub.")],
    public: Annotated[
        bool, typer.Option("--public", help="Let everybody see it; private without this.")
    ] = False,
    without_passages: WithoutPassages = False,
    license_name: License = None,
    name: PrettyName = None,
) -> None:
    """Publish the dataset of a run on the Hugging Face Hub, in one commit.

    The token is HF_TOKEN or that of `hf auth login`. An upload that broke off can be repeated.

    Example: uaeval push outputs/docs me/docs-unanswerable --license cc-by-4.0
    """
    from uaeval.formats.dataset import Dataset, Publication
    from uaeval.formats.hub import push as upload
    from uaeval.run_folder import RunFolder

    dataset = Dataset(
        RunFolder(run),
        with_passages=not without_passages,
        publication=Publication(name=name or run.resolve().name, license=license_name),
    )
    dataset.publication.required_license()
    total = dataset.summary()
    text = (
        f"none of the text of {total.passages} passages, only ids and hashes; reasons and "
        "reference answers may still repeat words of it"
        if without_passages
        else f"{total.characters:,} characters of the knowledge base, in {total.passages} passages"
    )
    say(
        f"Publishing {total.queries} queries to {repository}, {'public' if public else 'private'}, "
        f"with {text}"
    )
    with interruptible():
        place = upload(dataset, repository, public=public, bars=ERR.is_terminal)
    say(f"Published: {place}")
