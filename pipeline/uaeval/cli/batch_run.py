"""The steps of the batch commands: send a run's requests, report the answers, continue the run."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

import typer

from uaeval.cli.evaluate import run_evaluation
from uaeval.cli.synthesize import run_synthesis
from uaeval.cli.terminal import ExitCode, interruptible, say
from uaeval.config import EvaluationConfig, GateSettings, SynthesisConfig, build
from uaeval.errors import ConfigError, ModelError, RunAborted, StorageError
from uaeval.evaluation.manifest import EvaluationManifest, read_manifest
from uaeval.llm.batch.answers import ImportCounts
from uaeval.llm.batch.api import ENDED, BatchApi
from uaeval.llm.batch.requests import drop_unsent, failures, underway, waiting
from uaeval.llm.batch.submitted import UNCONFIRMED, SentBatch, submit
from uaeval.run.run import Run, reopen_run
from uaeval.run_folder import Manifest, RunFolder

_MOST_LISTED: Final = 20
"""Most lines that are not answers whose places are printed."""


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


def say_counts(counts: ImportCounts) -> None:
    """Print the counts of imported answers."""
    say(
        f"{counts.imported} answers imported, {counts.already} were imported before, "
        f"{counts.failed} failed, {counts.not_reached} requests were not reached, "
        f"{counts.unknown} belong to no request, {len(counts.unreadable)} lines are not answers"
    )
    if counts.unreadable:
        more = ", …" if len(counts.unreadable) > _MOST_LISTED else ""
        say(f"not answers: {', '.join(counts.unreadable[:_MOST_LISTED])}{more}")


def report(folder: Path, ended: Sequence[SentBatch], running: int, counts: ImportCounts) -> bool:
    """Print what was imported, and save the usage; return whether answers are missing."""
    for batch in ended:
        say(describe(batch))
    if ended:
        say_counts(counts)
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
        code = run_evaluation(config, GateSettings(), say_next=say_next)
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
    with opened_run(folder):
        manifest = _manifest(folder)
    url = manifest.settings.get("base_url") if manifest else None
    with interruptible(), BatchApi(str(url) if url else None) as api:
        try:
            yield api
        except ModelError as error:
            raise RunAborted(str(error)) from error


def send(folder: Path, api: BatchApi) -> int:
    """Send the unsent requests of a run; return the number of requests that are in batches."""
    with opened_run(folder) as run:
        before = underway(run.store)
        submit(run.store, api, lambda batch: say(f"sent {describe(batch)}"))
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
    for batch in batches:
        say(describe(batch))
    states = [batch.status for batch in batches if not batch.settled]
    ended = sum(state in ENDED for state in states)
    unconfirmed = states.count(UNCONFIRMED)
    if ended:
        say(f"{ended} batches have ended; fetch their answers: uaeval batch fetch {folder}")
    if len(states) > ended + unconfirmed:
        say(f"wait for the others: uaeval batch fetch {folder} --wait")
    if unsent or unconfirmed:
        say(f"{unsent} requests are not in a batch yet; send them: uaeval batch submit {folder}")
    elif not states:
        say(f"{folder} has no {'pending requests' if batches else 'batches'}")
    return bool(sent or unsent)


def describe(batch: SentBatch) -> str:
    """Return the state of a batch in one line."""
    counts = f"{batch.completed} answered, {batch.failed} failed of {batch.requests}"
    text = f"batch {batch.id or batch.number} ({batch.model}): {batch.status}, {counts}"
    return f"{text}; {batch.reason}" if batch.reason else text
