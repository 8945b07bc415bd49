"""`uaeval batch submit | status | fetch | cancel`: a run's requests at an endpoint's Batch API."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from uaeval.cli.batch_run import Run

if TYPE_CHECKING:
    from uaeval.cli.batch_wait import Brought
    from uaeval.llm.batch_api import BatchApi
    from uaeval.llm.sent_batches import SentBatch


def submit(run: Run) -> None:
    """Send every request that awaits an answer and is in no batch yet.

    The endpoint is the run's base_url, or OPENAI_BASE_URL, or OpenAI; the key OPENAI_API_KEY.
    """
    with _endpoint(run) as api:
        _send(run, api)


def status(run: Run) -> None:
    """Show how each batch stands, and what to do next."""
    from uaeval.cli.batch_run import open_store
    from uaeval.cli.terminal import AWAITED, say
    from uaeval.llm.batch import underway, waiting
    from uaeval.llm.sent_batches import look, note, sent_batches

    with _endpoint(run) as api:
        with open_store(run) as store:
            known = sent_batches(store)
        seen = [(batch, None if batch.settled else look(api, batch)) for batch in known]
        with open_store(run) as store:
            now = [note(store, batch, remote) if remote else batch for batch, remote in seen]
            sent = underway(store)
            free = waiting(store) - sent
    for batch in now:
        say(_line(batch))
    for step in _next_steps(run, now, free):
        say(step)
    if sent or free:
        raise typer.Exit(AWAITED)


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
    from uaeval.cli.batch_run import continue_run
    from uaeval.cli.batch_wait import bring_home, patiently, pauses
    from uaeval.cli.terminal import AWAITED

    with _endpoint(run) as api:
        while True:
            brought = bring_home(run, api, pauses(every) if wait or all_rounds else None)
            awaited = _report(run, brought)
            if go_on and (brought.ended or not brought.running):
                awaited = continue_run(run, tell_next=not all_rounds)
            if not awaited:
                return
            if not all_rounds:
                raise typer.Exit(AWAITED)
            brought.refuse_standstill()
            if not patiently(partial(_send, run, api), pauses(every)):
                raise typer.Exit(AWAITED)


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
    from uaeval.cli.batch_run import open_store
    from uaeval.cli.terminal import say
    from uaeval.llm import sent_batches

    with open_store(run) as store:
        batches = sent_batches.open_batches(store)
        if forget:
            for batch in batches:
                sent_batches.forget(store, batch)
            say(f"{len(batches)} batches given up; `uaeval batch submit {run}` sends them again")
            return
    with _endpoint(run) as api:
        for batch in batches:
            remote = sent_batches.look(api, batch)
            if remote and not remote.ended:
                remote = api.cancel(remote.id)
            with open_store(run) as store:
                say(_line(sent_batches.note(store, batch, remote) if remote else batch))
    say(f"bring in what was answered with `uaeval batch fetch {run} --wait`")


@contextmanager
def _endpoint(run: Path) -> "Iterator[BatchApi]":
    """Open the run's endpoint; one that stays out of reach stops the command."""
    from uaeval.cli.batch_run import base_url_of, open_store
    from uaeval.cli.terminal import interruptible
    from uaeval.errors import ModelError, StopRun
    from uaeval.llm.batch_api import BatchApi

    open_store(run).close()
    with interruptible(), BatchApi(base_url_of(run)) as api:
        try:
            yield api
        except ModelError as error:
            raise StopRun(str(error)) from error


def _report(run: Path, brought: "Brought") -> bool:
    """Say what came in, and count its tokens; return whether further answers are awaited."""
    from uaeval.cli.batch_run import note_usage, open_store, tell
    from uaeval.cli.terminal import say
    from uaeval.llm.batch import waiting

    for batch in brought.ended:
        say(_line(batch))
    if brought.ended:
        tell(brought.counts)
    if brought.running:
        say(f"{brought.running} batches have not ended yet; --wait waits for them")
    with open_store(run) as store:
        note_usage(run, store)
        return waiting(store) > 0


def _send(run: Path, api: "BatchApi") -> int:
    """Send what is in no batch yet; return how many requests are in batches now."""
    from uaeval.cli.batch_run import open_store
    from uaeval.cli.terminal import say
    from uaeval.llm.batch import underway
    from uaeval.llm.sent_batches import submit

    with open_store(run) as store:
        before = underway(store)
        submit(store, api, lambda batch: say(f"sent {_line(batch)}"))
        after = underway(store)
    if after:
        say(
            f"{after} requests are in batches, {after - before} of them new; "
            f"`uaeval batch fetch {run} --wait` brings their answers in"
        )
    else:
        say(f"{run} awaits no answers")
    return after


def _line(batch: "SentBatch") -> str:
    counts = f"{batch.completed} answered, {batch.failed} failed of {batch.requests}"
    line = f"batch {batch.id or batch.number} ({batch.model}): {batch.status}, {counts}"
    return f"{line}; {batch.reason}" if batch.reason else line


def _next_steps(run: Path, batches: "list[SentBatch]", free: int) -> list[str]:
    from uaeval.llm.batch_api import ENDED
    from uaeval.llm.sent_batches import UNCONFIRMED

    steps = []
    states = [batch.status for batch in batches if not batch.settled]
    ended = sum(state in ENDED for state in states)
    unconfirmed = states.count(UNCONFIRMED)
    if ended:
        steps.append(f"{ended} have ended; bring their answers in: uaeval batch fetch {run}")
    if len(states) > ended + unconfirmed:
        steps.append(f"wait for the others: uaeval batch fetch {run} --wait")
    if free or unconfirmed:
        steps.append(f"{free} requests are in no batch; send them: uaeval batch submit {run}")
    return steps or [f"{run} awaits no answers"]
