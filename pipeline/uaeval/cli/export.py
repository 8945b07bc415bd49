"""`uaeval export`: write a dataset for another tool."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.arguments import License, PrettyName, WithoutPassages
from uaeval.cli.terminal import say, say_text
from uaeval.errors import ConfigError
from uaeval.run.bars import bars


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
