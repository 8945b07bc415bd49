"""`uaeval export` and `uaeval push`: write a dataset for another tool, or publish it on the Hub."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from uaeval.cli.terminal import say, say_text
from uaeval.errors import ConfigError
from uaeval.run.bars import ERR, bars

WithoutPassages: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--without-passages",
        help="Leave out the text of the knowledge base, and verifiers' rationales, which quote it.",
    ),
]
License: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--license",
        help="License by its name on the Hub, such as `cc-by-4.0`; `hf` and push need it.",
    ),
]
PrettyName: TypeAlias = Annotated[
    str | None, typer.Option("--name", help="Name on the card. [the run's folder]")
]


def export(
    run: Annotated[Path | None, typer.Argument(help="The folder of a finished run.")] = None,
    form: Annotated[
        str | None, typer.Argument(metavar="FORMAT", help="A format; --list shows them.")
    ] = None,
    place: Annotated[
        Path | None, typer.Argument(metavar="PLACE", help="The file or folder to write.")
    ] = None,
    show_list: Annotated[
        bool, typer.Option("--list", help="Show the formats: what each is for and what it loses.")
    ] = False,
    without_passages: WithoutPassages = False,
    license_name: License = None,
    name: PrettyName = None,
) -> None:
    """Write the dataset of a run for another tool. Queries that people marked invalid are left out.

    Example: uaeval export outputs/docs inspect docs-inspect
    """
    from uaeval.formats.dataset import Dataset
    from uaeval.formats.format import export as write
    from uaeval.formats.format import format_named, formats
    from uaeval.run_folder import RunFolder

    if show_list:
        say_text("formats", formats=formats().values())
        return
    if run is None or form is None or place is None:
        raise ConfigError("give RUN FORMAT PLACE, or --list to see the formats")
    chosen = format_named(form)
    with bars() as progress:
        task = progress.add_task("opening", total=None, note="")
        dataset = Dataset(
            RunFolder(run),
            with_passages=not without_passages,
            name=name,
            license=license_name,
            seen=lambda count: progress.update(task, advance=count),
        )
        queries = 2 * sum(dataset.manifest.selected.values())
        progress.update(task, description=f"writing {chosen.name}", total=queries * chosen.passes)
        write(dataset, chosen, place)
    if dataset.invalid:
        say(f"{len(dataset.invalid)} queries that people marked invalid were left out")
    say(f"Written: {place}, for {chosen.purpose}\nIt loses {chosen.loses}.")


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
