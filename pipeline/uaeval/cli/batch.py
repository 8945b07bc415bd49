"""`uaeval batch`: a model asked in bulk, through files or through an endpoint's Batch API."""

from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from uaeval.cli.terminal import AWAITED, interruptible, say

Run: TypeAlias = Annotated[
    Path, typer.Argument(help="The folder of a run, or of an evaluation below it.")
]
batch = typer.Typer(
    help="Ask a model in bulk: send the requests (submit, status, fetch, cancel), or write them "
    "to a file and take its answers in (export, import).",
    no_args_is_help=True,
)


@batch.command()
def submit(run: Run) -> None:
    """Send every request that awaits an answer and is in no batch yet.

    The endpoint is the run's base_url, or OPENAI_BASE_URL, or OpenAI; the key OPENAI_API_KEY.
    """
    from uaeval.cli.batch_run import endpoint, send

    with endpoint(run) as api:
        send(run, api)


@batch.command()
def status(run: Run) -> None:
    """Show how each batch stands, and what to do next."""
    from uaeval.cli.batch_run import describe, endpoint, next_steps, open_store
    from uaeval.llm.batch.model import underway, waiting
    from uaeval.llm.batch.submitted import look, note, sent_batches

    with endpoint(run) as api:
        with open_store(run) as store:
            known = sent_batches(store)
        seen = [(batch, None if batch.settled else look(api, batch)) for batch in known]
        with open_store(run) as store:
            now = [note(store, batch, remote) if remote else batch for batch, remote in seen]
            sent = underway(store)
            free = waiting(store) - sent
    for batch in now:
        say(describe(batch))
    for step in next_steps(run, now, free):
        say(step)
    if sent or free:
        raise typer.Exit(AWAITED)


@batch.command()
def fetch(
    run: Run,
    wait: Annotated[
        bool, typer.Option("--wait", help="Look again and again until every batch has ended.")
    ] = False,
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
        typer.Option(min=0.001, help="Seconds between two looks. [5 at first, later 60]"),
    ] = None,
    go_on: Annotated[
        bool, typer.Option(help="Go on with the run as far as the answers reach.")
    ] = True,
) -> None:
    """Bring in the answers of the batches that have ended, and go on with the run."""
    from uaeval.cli.batch_run import continue_run, endpoint, report, send
    from uaeval.cli.batch_wait import bring_home, patiently, pauses

    with endpoint(run) as api:
        while True:
            brought = bring_home(run, api, pauses(every) if wait or all_rounds else None)
            awaited = report(run, brought)
            if go_on and (brought.ended or not brought.running):
                awaited = continue_run(run, tell_next=not all_rounds)
            if not awaited:
                return
            if not all_rounds:
                raise typer.Exit(AWAITED)
            brought.refuse_standstill()
            if not patiently(partial(send, run, api), pauses(every)):
                raise typer.Exit(AWAITED)


@batch.command()
def cancel(
    run: Run,
    forget: Annotated[
        bool,
        typer.Option(
            "--forget",
            help="Give the batches up without asking the endpoint: their requests can be sent "
            "again, and are paid twice if the batches are answered after all.",
        ),
    ] = False,
) -> None:
    """Cancel the batches that have not ended; fetch then brings in what was answered."""
    from uaeval.cli.batch_run import describe, endpoint, open_store
    from uaeval.llm.batch import submitted as submitted_batches

    with open_store(run) as store:
        batches = submitted_batches.open_batches(store)
        if forget:
            for batch in batches:
                submitted_batches.forget(store, batch)
            say(f"{len(batches)} batches given up; `uaeval batch submit {run}` sends them again")
            return
    with endpoint(run) as api:
        for batch in batches:
            remote = submitted_batches.look(api, batch)
            if remote and not remote.ended:
                remote = api.cancel(remote.id)
            with open_store(run) as store:
                say(describe(submitted_batches.note(store, batch, remote) if remote else batch))
    say(f"bring in what was answered with `uaeval batch fetch {run} --wait`")


@batch.command("export")
def export_requests(
    run: Run,
    file: Annotated[Path, typer.Argument(help="Where to write the requests (OpenAI Batch JSONL).")],
) -> None:
    """Write every request that awaits an answer; `vllm run-batch` reads the same file."""
    from uaeval.cli.batch_run import open_store
    from uaeval.llm.batch.model import export, underway, waiting

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
    from uaeval.llm.batch.answers import import_answers

    with interruptible(), open_store(run) as store:
        tell(import_answers(files, store))
        note_usage(run, store)
    if go_on and continue_run(run):
        raise typer.Exit(AWAITED)


@batch.command("retry")
def retry(run: Run) -> None:
    """Ask again what failed for good in earlier rounds (refused, blocked, unreadable answers)."""
    from uaeval.cli.batch_run import open_store
    from uaeval.llm.batch.model import retry_failures

    with open_store(run) as store:
        count = retry_failures(store)
    say(
        f"{count} failed requests await an answer again; send them with `uaeval batch submit`, or "
        "write them to a file with `uaeval batch export`"
    )
