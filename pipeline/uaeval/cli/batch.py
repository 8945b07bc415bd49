"""`uaeval batch`: ask a model in batches, through files or an endpoint's Batch API."""

from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from uaeval.cli.terminal import ExitCode, say, say_text
from uaeval.errors import ConfigError

Run: TypeAlias = Annotated[
    Path, typer.Argument(help="The folder of a run, or of an evaluation below it.")
]
GoOn: TypeAlias = Annotated[bool, typer.Option(help="Continue the run with the answers.")]
batch = typer.Typer(
    help="Ask a model in bulk: send the requests (submit, status, fetch, cancel), or write them "
    "to a file and import the answers (export, import); end a synthesis early (finish).",
    no_args_is_help=True,
)


@batch.command()
def submit(run: Run) -> None:
    """Send every request that is not answered and not in a batch yet.

    The endpoint is the run's base_url, or OPENAI_BASE_URL, or OpenAI; the key OPENAI_API_KEY.
    """
    from uaeval.cli.batch_run import endpoint, send

    with endpoint(run) as api:
        send(run, api)


@batch.command()
def status(run: Run) -> None:
    """Show the state of each batch, and what to do next."""
    from uaeval.cli.batch_run import say_status

    if say_status(run):
        raise typer.Exit(ExitCode.AWAITED)


@batch.command()
def fetch(
    run: Run,
    wait: Annotated[bool, typer.Option("--wait", help="Poll until every batch has ended.")] = False,
    all_rounds: Annotated[
        bool,
        typer.Option(
            "--all-rounds",
            help="Send the requests of the next round as well, wait for them, and so on until the "
            "run is complete.",
        ),
    ] = False,
    every: Annotated[
        float | None,
        typer.Option(min=0.001, help="Seconds between two polls. [5 at first, later 60]"),
    ] = None,
    go_on: GoOn = True,
) -> None:
    """Import the answers of the batches that have ended, and continue the run."""
    from uaeval.cli.batch_run import endpoint, fetch_round, pauses, send, with_retries

    polls = wait or all_rounds
    with endpoint(run) as api:
        while fetch_round(
            run, api, pauses(every) if polls else None, go_on=go_on, more_rounds=all_rounds
        ):
            if not (all_rounds and with_retries(partial(send, run, api), pauses(every))):
                raise typer.Exit(ExitCode.AWAITED)


@batch.command()
def cancel(
    run: Run,
    forget: Annotated[
        bool,
        typer.Option(
            "--forget",
            help="Forget the batches without asking the endpoint. Their requests can be sent "
            "again; if the batches are answered after all, you pay twice.",
        ),
    ] = False,
) -> None:
    """Cancel the batches that have not ended; `fetch` then imports the answers that they have."""
    from uaeval.cli.batch_run import describe, endpoint, opened_run
    from uaeval.llm.batch import submitted

    with opened_run(run) as before:
        batches = submitted.open_batches(before.store)
        if forget:
            for batch in batches:
                submitted.forget(before.store, batch)
            say(f"{len(batches)} batches dropped; `uaeval batch submit {run}` sends them again")
            return
    with endpoint(run) as api:
        for batch in batches:
            remote = submitted.batch_state(api, batch)
            if remote and not remote.ended:
                remote = api.cancel(remote.id)
            with opened_run(run) as opened:
                state = submitted.store_state(opened.store, batch, remote) if remote else batch
                say(describe(state))
    say(f"`uaeval batch fetch {run} --wait` fetches the answers that they have")


@batch.command("export")
def export_requests(
    run: Run,
    file: Annotated[Path, typer.Argument(help="Where to write the requests (OpenAI Batch JSONL).")],
) -> None:
    """Write every request that is not answered yet; `vllm run-batch` reads the same file."""
    from uaeval.cli.batch_run import opened_run
    from uaeval.llm.batch.requests import export, underway, waiting

    with opened_run(run) as opened:
        sent = underway(opened.store)
        count = waiting(opened.store) - sent
        files = export(opened.store, file)
    if sent:
        say(f"{sent} requests are in batches already and are not written")
    written = f"{count} requests in {', '.join(map(str, files))}"
    say(written if count else f"{run} has no pending requests")


@batch.command("import")
def import_files(
    run: Run,
    files: Annotated[
        list[Path],
        typer.Argument(help="Answers and errors (OpenAI Batch output JSONL), in any order."),
    ],
    go_on: GoOn = True,
) -> None:
    """Import files of answers, complete or not, and continue the run; importing one twice is safe.

    All of the files are imported, or none. A file of another run is an error that names it.
    """
    from uaeval.cli.batch_run import continue_run, opened_run
    from uaeval.llm.batch.answers import import_answers

    with opened_run(run) as opened:
        say_text("imported", counts=import_answers(files, opened.store))
        opened.save()
    if go_on and continue_run(run):
        raise typer.Exit(ExitCode.AWAITED)


@batch.command()
def retry(run: Run) -> None:
    """Queue requests again that failed in earlier rounds (refused, blocked, unreadable replies)."""
    from uaeval.cli.batch_run import is_ended, opened_run
    from uaeval.llm.batch.requests import retry_failures

    with opened_run(run) as opened:
        if is_ended(opened):
            raise ConfigError(f"{run} was ended by `uaeval batch finish` and sends no requests")
        count = retry_failures(opened.store)
    say(f"{count} failed requests are queued; send them with `uaeval batch submit` or `export`")


@batch.command()
def finish(
    run: Run,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if a category has too few queries.")
    ] = False,
) -> None:
    """End a synthesis now: write a dataset of the queries proven so far, and say what is missing.

    Requests that are not in a batch are dropped.
    """
    from uaeval.cli.batch_run import continue_run, end_synthesis

    end_synthesis(run)
    continue_run(run, strict=strict)
