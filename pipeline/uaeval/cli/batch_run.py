"""The steps of the batch commands: send requests, poll batches, import answers, continue a run."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

import typer

from uaeval.cli.evaluate import GATE, run_evaluation
from uaeval.cli.synthesize import run_synthesis
from uaeval.cli.terminal import ExitCode, complain, say, say_text
from uaeval.config import EvaluationConfig, GateSettings, SynthesisConfig, build
from uaeval.errors import ConfigError, ModelError, RunAborted, StorageError
from uaeval.evaluation.manifest import EvaluationManifest
from uaeval.llm.batch import submitted
from uaeval.llm.batch.answers import ImportCounts
from uaeval.llm.batch.api import ENDED, BatchApi
from uaeval.llm.batch.requests import drop_unsent, failures, underway, waiting
from uaeval.llm.batch.submitted import UNCONFIRMED, SentBatch
from uaeval.run.bars import bars, print_line
from uaeval.run.run import Run, reopen_run
from uaeval.run_folder import BaseManifest, Manifest
from uaeval.storage import read_json

T = TypeVar("T")
_MOST_FAILURES: Final = 30
"""Most failed attempts in a row to reach an endpoint."""


def opened_run(folder: Path) -> AbstractContextManager[Run]:
    """Return a context manager that opens the run or evaluation in `folder`."""
    return reopen_run(folder, _manifest(folder))


def _manifest(folder: Path) -> BaseManifest | None:
    kind = EvaluationManifest if folder.parent.name == "evaluations" else Manifest
    return kind.read(folder / "manifest.json")


def is_ended(run: Run) -> bool:
    """Return whether `uaeval batch finish` ended the run."""
    return isinstance(run.manifest, Manifest) and run.manifest.ended_early


def continue_run(folder: Path, *, say_next: bool = True, strict: bool = False) -> bool:
    """Continue the run as far as its answers allow; return whether answers are missing.

    With `say_next`, print the commands that get them. Raise `typer.Exit` if the run ended, but
    calls failed, no query is proven, or with `strict` queries are missing.
    """
    if (manifest := _manifest(folder)) is None:
        raise StorageError(f"{folder} has no manifest.json; run its command again")
    if isinstance(manifest, EvaluationManifest):
        place = {"dataset": folder.parents[1], "name": folder.name, "mode": "batch"}
        config = build(EvaluationConfig, **(manifest.settings | place))
        gate = read_json(folder / GATE) if (folder / GATE).exists() else {}
        code = run_evaluation(config, build(GateSettings, **gate), say_next=say_next)
    else:
        place = {"output": folder, "mode": "batch", "strict": strict}
        synthesis = build(SynthesisConfig, **(manifest.settings | place))
        code = run_synthesis(synthesis, say_next=say_next)
    with opened_run(folder) as run:
        count = failures(run.store)
    if count and not is_ended(run):
        say(f"{count} requests failed; `uaeval batch retry {folder}` queues them again")
    if code not in {ExitCode.DONE, ExitCode.AWAITED}:
        raise typer.Exit(code)
    return code == ExitCode.AWAITED


def end_synthesis(folder: Path) -> None:
    """End a synthesis with the queries proven so far, and drop its unsent requests.

    Raise `ConfigError` if `folder` is not the folder of a run.
    """
    if not isinstance(manifest := _manifest(folder), Manifest):
        raise ConfigError(f"{folder} is not a run; `uaeval batch finish` ends a synthesis")
    with reopen_run(folder, manifest) as run:
        manifest.ended_early |= manifest.status != "complete"
        run.save()
        if sent := underway(run.store):
            say(f"{sent} requests are in batches; stop them with `uaeval batch cancel {folder}`")
        drop_unsent(run.store)


@contextmanager
def endpoint(folder: Path) -> Iterator[BatchApi]:
    """Open the run's endpoint; raise `RunAborted` if it cannot be reached."""
    with opened_run(folder) as run:
        url = run.manifest.settings.get("base_url") if run.manifest else None
    with BatchApi(str(url) if url else None) as api:
        try:
            yield api
        except ModelError as error:
            raise RunAborted(str(error)) from error


def send(folder: Path, api: BatchApi) -> int:
    """Send the unsent requests of a run; return the number of requests that are in batches."""
    with opened_run(folder) as run:
        before = underway(run.store)
        submitted.submit(run.store, api, lambda batch: say(f"sent {describe(batch)}"))
        after = underway(run.store)
    if after:
        say(
            f"{after} requests are in batches, {after - before} of them new; "
            f"`uaeval batch fetch {folder} --wait` fetches the answers"
        )
    else:
        say(f"{folder} has no pending requests")
    return after


def say_status(folder: Path) -> bool:
    """Print each batch and the next commands; return whether answers are missing."""
    with opened_run(folder) as run:
        batches = submitted.sent_batches(run.store)
    with endpoint(folder) as api:
        batches = tuple(poll(folder, api, batch, answers=False)[0] for batch in batches)
    with opened_run(folder) as run:
        awaited = waiting(run.store)
        unsent = awaited - underway(run.store)
    known = {"ENDED": ENDED, "UNCONFIRMED": UNCONFIRMED, "describe": describe}
    say_text("status", batches=batches, folder=folder, unsent=unsent, **known)
    return awaited > 0


def describe(batch: SentBatch) -> str:
    """Return the state of a batch in one line."""
    counts = f"{batch.completed} answered, {batch.failed} failed of {batch.requests}"
    text = f"batch {batch.id or batch.number} ({batch.model}): {batch.status}, {counts}"
    return f"{text}; {batch.reason}" if batch.reason else text


def pauses(every: float | None) -> Iterator[float]:
    """Yield the seconds between two polls: always `every`, or growing from 5 to 60."""
    pause = every or 5.0
    while True:
        yield pause
        pause = every or min(60.0, pause * 1.5)


def with_retries(work: Callable[[], T], pauses: Iterator[float] | None) -> T:
    """Return the result of `work`, or raise the `ModelError` of its last attempt.

    With `pauses`, retry if the endpoint cannot be reached.
    """
    for pause in islice(pauses or (), _MOST_FAILURES):
        try:
            return work()
        except ModelError as error:
            complain(f"{error}; trying again")
            time.sleep(pause)
    return work()


def poll(
    folder: Path, api: BatchApi, batch: SentBatch, *, answers: bool
) -> tuple[SentBatch, ImportCounts]:
    """Store and return the state of a batch; with `answers`, import those of an ended batch."""
    if batch.settled or (remote := submitted.batch_state(api, batch)) is None:
        return batch, ImportCounts()
    with opened_run(folder) as run:
        if answers and remote.ended:
            return submitted.import_batch(run.store, api, batch, remote)
        return submitted.store_state(run.store, batch, remote), ImportCounts()


def fetch_round(
    folder: Path, api: BatchApi, pauses: Iterator[float] | None, *, go_on: bool, more_rounds: bool
) -> bool:
    """Import the answers of ended batches, and with `go_on` continue the run.

    Return whether answers are missing. With `pauses`, wait until all batches have ended. With
    `more_rounds`, raise `RunAborted` if they ended without any, as another round would be useless.
    """
    batches, counts = _import_ended(folder, api, pauses)
    ended = [batch for batch in batches if batch.settled]
    running = sum(map(_is_running, batches))
    for batch in ended:
        say(describe(batch))
    if ended:
        say_text("imported", counts=counts)
    if running:
        say(f"{running} batches have not ended yet; --wait waits for them")
    with opened_run(folder) as run:
        run.save()
        awaited = waiting(run.store) > 0
    if go_on and (ended or not running):
        awaited = continue_run(folder, say_next=not more_rounds)
    if awaited and more_rounds and ended and not (counts.imported + counts.failed + counts.already):
        reasons = sorted({batch.reason or batch.status for batch in ended})
        raise RunAborted(f"the batches ended without an answer: {'; '.join(reasons)}")
    return awaited


def _import_ended(
    folder: Path, api: BatchApi, pauses: Iterator[float] | None
) -> tuple[Sequence[SentBatch], ImportCounts]:
    """Import as `fetch_round`; return the open batches in their last state, and the counts.

    Raise `ModelError` if the endpoint cannot be reached.
    """
    with opened_run(folder) as run:
        batches = list(submitted.open_batches(run.store))
    total, counts, shown = sum(batch.requests for batch in batches), ImportCounts(), ""
    with bars() as progress:
        task = progress.add_task("answers of batches", total=total, note="", visible=bool(batches))
        while True:
            for index, batch in enumerate(batches):
                work = partial(poll, folder, api, batch, answers=True)
                batches[index], imported = with_retries(work, pauses)
                counts += imported
            states = Counter(batch.status for batch in batches)
            summary = ", ".join(f"{number} {name}" for name, number in sorted(states.items()))
            done = sum(batch.completed + batch.failed for batch in batches)
            progress.update(task, completed=done, note=summary)
            if summary != shown:
                print_line(f"{done} of {total} requests; batches: {summary}")
                shown = summary
            if pauses is None or not any(map(_is_running, batches)):
                return batches, counts
            time.sleep(next(pauses))


def _is_running(batch: SentBatch) -> bool:
    """Return whether the batch was created and its answers are not imported."""
    return bool(batch.id) and not batch.settled
