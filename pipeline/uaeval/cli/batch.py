"""`uaeval batch`: a model asked in bulk, through files or through an endpoint's Batch API."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli.batch_endpoint import Run, cancel, fetch, status, submit
from uaeval.cli.terminal import AWAITED, interruptible, say

batch = typer.Typer(
    help="Ask a model in bulk: send the requests (submit, status, fetch, cancel), or write them "
    "to a file and take its answers in (export, import).",
    no_args_is_help=True,
)
batch.command()(submit)
batch.command()(status)
batch.command()(fetch)
batch.command()(cancel)


@batch.command("export")
def export_requests(
    run: Run,
    file: Annotated[Path, typer.Argument(help="Where to write the requests (OpenAI Batch JSONL).")],
) -> None:
    """Write every request that awaits an answer; `vllm run-batch` reads the same file."""
    from uaeval.cli.batch_run import open_store
    from uaeval.llm.batch import export, underway, waiting

    with open_store(run) as store:
        sent = underway(store)
        count = waiting(store) - sent
        files = export(store, file)
    if sent:
        say(f"{sent} requests are in batches already and are not written")
    say(
        f"{count} requests in {', '.join(map(str, files))}" if count else f"{run} awaits no answers"
    )


@batch.command("import")
def import_files(
    run: Run,
    files: Annotated[
        list[Path],
        typer.Argument(help="Answers and errors (OpenAI Batch output JSONL), in any order."),
    ],
    go_on: Annotated[
        bool, typer.Option(help="Go on with the run as far as the answers reach.")
    ] = True,
) -> None:
    """Take answers in, whole or in part, once or again, and go on with the run.

    All of the files are taken in, or none: one of another run is refused by name.
    """
    from uaeval.cli.batch_run import continue_run, note_usage, open_store, tell
    from uaeval.llm.batch_answers import import_answers

    with interruptible(), open_store(run) as store:
        tell(import_answers(files, store))
        note_usage(run, store)
    if go_on and continue_run(run):
        raise typer.Exit(AWAITED)


@batch.command("retry")
def retry(run: Run) -> None:
    """Ask again what failed for good in earlier rounds (refused, blocked, unreadable answers)."""
    from uaeval.cli.batch_run import open_store
    from uaeval.llm.batch import retry_failures

    with open_store(run) as store:
        count = retry_failures(store)
    say(
        f"{count} failed requests await an answer again; send them with `uaeval batch submit`, or "
        "write them to a file with `uaeval batch export`"
    )
