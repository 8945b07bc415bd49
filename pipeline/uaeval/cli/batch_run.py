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
from uaeval.evaluation.manifest import EvaluationManifest, read_manifest
from uaeval.llm.batch import submitted
from uaeval.llm.batch.answers import ImportCounts
from uaeval.llm.batch.api import ENDED, BatchApi
from uaeval.llm.batch.requests import drop_unsent, failures, underway, waiting
from uaeval.llm.batch.submitted import UNCONFIRMED, SentBatch
from uaeval.run.bars import bars, print_line
from uaeval.run.run import Run, reopen_run
from uaeval.run_folder import Manifest, RunFolder
from uaeval.storage import read_json

T = TypeVar("T")
_MOST_FAILURES: Final = 30
"""Most failed attempts in a row to reach an endpoint."""


def opened_run(folder: Path) -> AbstractContextManager[Run]:
    """Return a context manager that opens the run or evaluation in `folder`."""
    return reopen_run(folder, _manifest(folder))


def _manifest(folder: Path) -> Manifest | EvaluationManifest | None:
    if folder.parent.name == "evaluations":
        return read_manifest(folder / "manifest.json")
    return RunFolder(folder).manifest()


def is_ended(run: Run) -> bool:
    """Return whether `uaeval batch finish` ended the run."""
    return isinstance(run.manifest, Manifest) and run.manifest.ended_early


def report(folder: Path, ended: Sequence[SentBatch], running: int, counts: ImportCounts) -> bool:
    """Print what was imported, and save the usage; return whether answers are missing."""
    for batch in ended:
        say(describe(batch))
    if ended:
        say_text("imported", counts=counts)
    if running:
        say(f"{running} batches have not ended yet; --wait waits for them")
    with opened_run(folder) as run:
        run.save()
        return waiting(run.store) > 0


def refuse_standstill(ended: Sequence[SentBatch], counts: ImportCounts) -> None:
    """Raise `RunAborted` if batches ended without any answer, so another round would be useless."""
    if ended and not counts.imported + counts.failed + counts.already:
        reasons = sorted({batch.reason or batch.status for batch in ended})
        raise RunAborted(f"the batches ended without an answer: {'; '.join(reasons)}")


def continue_run(folder: Path, *, say_next: bool = True, strict: bool = False) -> bool:
    """Continue the run as far as its answers allow; return whether answers are missing.

    With `say_next`, print the commands that get them.

    Raises:
        typer.Exit: the run ended, but calls failed, or with `strict` queries are missing.
    """
    manifest = _manifest(folder)
    if manifest is None:
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
    """End a synthesis with the queries that are proven so far, and drop its unsent requests.

    Raises:
        ConfigError: `folder` is not the folder of a run.
    """
    manifest = _manifest(folder)
    if not isinstance(manifest, Manifest):
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


def say_status(folder: Path, batches: Sequence[SentBatch]) -> bool:
    """Print each batch and the next commands; return whether answers are missing."""
    with opened_run(folder) as run:
        sent = underway(run.store)
        unsent = waiting(run.store) - sent
    known = {"ENDED": ENDED, "UNCONFIRMED": UNCONFIRMED, "describe": describe}
    say_text("status", batches=batches, folder=folder, unsent=unsent, **known)
    return bool(sent or unsent)


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
    """Return the result of `work`; with `pauses`, retry if the endpoint cannot be reached.

    Raises:
        ModelError: the last attempt failed.
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
    remote = None if batch.settled else submitted.batch_state(api, batch)
    if remote is None:
        return batch, ImportCounts()
    with opened_run(folder) as run:
        if answers and remote.ended:
            return submitted.import_batch(run.store, api, batch, remote)
        return submitted.store_state(run.store, batch, remote), ImportCounts()


def import_ended(
    folder: Path, api: BatchApi, pauses: Iterator[float] | None
) -> tuple[Sequence[SentBatch], ImportCounts]:
    """Import the answers of the ended batches; with `pauses`, wait until all have ended.

    Return the batches that were open in their last state, and the counts of imported answers.

    Raises:
        ModelError: the endpoint cannot be reached.
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
            if pauses is None or not any(map(is_running, batches)):
                return batches, counts
            time.sleep(next(pauses))


def is_running(batch: SentBatch) -> bool:
    """Return whether the batch was created and its answers are not imported."""
    return bool(batch.id) and not batch.settled
