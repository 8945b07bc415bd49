"""What the batch commands do with a run: send its requests, tell what came back, go on with it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from uaeval.cli.evaluate import run_evaluation
from uaeval.cli.synthesize import run_synthesis
from uaeval.cli.terminal import AWAITED, interruptible, say
from uaeval.config import EvaluationConfig, SynthesisConfig, build
from uaeval.errors import ModelError, RunAborted, StorageError
from uaeval.evaluation.manifest import EvaluationManifest, read_manifest
from uaeval.llm.batch.answers import ImportCounts
from uaeval.llm.batch.api import ENDED, BatchApi
from uaeval.llm.batch.model import failures, underway, waiting
from uaeval.llm.batch.submitted import UNCONFIRMED, SentBatch, submit
from uaeval.llm.ledger import Ledger
from uaeval.llm.prices import open_prices
from uaeval.llm.roles import role_usage
from uaeval.llm.store import ResponseStore
from uaeval.run_folder import Manifest, RunFolder

if TYPE_CHECKING:
    from uaeval.cli.batch_wait import BatchPoll


def open_store(run: Path) -> ResponseStore:
    """Open the response store of a run or evaluation."""
    path = run / "responses.sqlite"
    if not path.exists():
        raise StorageError(f"{run} is not the folder of a run: it has no responses.sqlite")
    return ResponseStore(path)


def note_usage(run: Path, store: ResponseStore) -> None:
    """Set calls, tokens and cost of all answers in the manifest, if there is one yet."""
    manifest = _manifest(run)
    if manifest is None:
        return
    manifest.usage = role_usage(Ledger(store, open_prices(None, manifest.prices)))
    RunFolder(run).write_manifest(manifest)


def tell(counts: ImportCounts) -> None:
    """Say what became of imported answers."""
    say(
        f"{counts.imported} answers imported, {counts.already} were here before, "
        f"{counts.failed} failed, {counts.not_reached} requests were not reached, "
        f"{counts.unknown} were never asked, {len(counts.unreadable)} lines are no answers"
    )
    if counts.unreadable:
        more = ", …" if len(counts.unreadable) > 20 else ""
        say(f"no answers: {', '.join(counts.unreadable[:20])}{more}")


def continue_run(run: Path, *, tell_next: bool = True) -> bool:
    """Go on as far as the answers reach; return whether further ones are awaited.

    With `tell_next` it then says which commands bring them.

    Raises:
        typer.Exit: the run is over, but calls failed.
    """
    try:
        _continuation(run)(tell_next=tell_next)
    except typer.Exit as ended:
        _tell_failures(run)
        if ended.exit_code != AWAITED:
            raise
        return True
    _tell_failures(run)
    return False


def _tell_failures(run: Path) -> None:
    with open_store(run) as store:
        count = failures(store)
    if count:
        say(f"{count} requests failed; `uaeval batch retry {run}` has them asked again")


def _continuation(run: Path) -> Callable[..., None]:
    """Return what goes on with the synthesis or the evaluation that `run` holds."""
    manifest = _manifest(run)
    if manifest is None:
        raise StorageError(f"{run} has no manifest.json; run its command again")
    if isinstance(manifest, EvaluationManifest):
        place = {"dataset": run.parents[1], "name": run.name, "mode": "batch"}
        evaluation = build(EvaluationConfig, **(manifest.settings | place))
        return partial(run_evaluation, evaluation)
    synthesis = build(SynthesisConfig, **(manifest.settings | {"output": run, "mode": "batch"}))
    return partial(run_synthesis, synthesis)


def _manifest(run: Path) -> Manifest | EvaluationManifest | None:
    if run.parent.name == "evaluations":
        return read_manifest(run / "manifest.json")
    return RunFolder(run).manifest()


@contextmanager
def endpoint(run: Path) -> Iterator[BatchApi]:
    """Open the run's endpoint; one that stays out of reach stops the command."""
    open_store(run).close()
    manifest = _manifest(run)
    url = manifest.settings.get("base_url") if manifest else None
    with interruptible(), BatchApi(str(url) if url else None) as api:
        try:
            yield api
        except ModelError as error:
            raise RunAborted(str(error)) from error


def report(run: Path, brought: "BatchPoll") -> bool:
    """Say what came in, and count its tokens; return whether further answers are awaited."""
    for batch in brought.ended:
        say(describe(batch))
    if brought.ended:
        tell(brought.counts)
    if brought.running:
        say(f"{brought.running} batches have not ended yet; --wait waits for them")
    with open_store(run) as store:
        note_usage(run, store)
        return waiting(store) > 0


def send(run: Path, api: BatchApi) -> int:
    """Send what is in no batch yet; return how many requests are in batches now."""
    with open_store(run) as store:
        before = underway(store)
        submit(store, api, lambda batch: say(f"sent {describe(batch)}"))
        after = underway(store)
    if after:
        say(
            f"{after} requests are in batches, {after - before} of them new; "
            f"`uaeval batch fetch {run} --wait` brings their answers in"
        )
    else:
        say(f"{run} awaits no answers")
    return after


def describe(batch: SentBatch) -> str:
    """Return how a batch stands, in one line."""
    counts = f"{batch.completed} answered, {batch.failed} failed of {batch.requests}"
    text = f"batch {batch.id or batch.number} ({batch.model}): {batch.status}, {counts}"
    return f"{text}; {batch.reason}" if batch.reason else text


def next_steps(run: Path, batches: list[SentBatch], free: int) -> list[str]:
    """Return the commands that come next, with what each is for."""
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
