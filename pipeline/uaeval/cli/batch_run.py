"""What the batch commands share: the run that they are about, and going on with it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from uaeval.cli.terminal import AWAITED

if TYPE_CHECKING:
    from uaeval.evaluation.manifest import EvaluationManifest
    from uaeval.llm.batch_answers import ImportCounts
    from uaeval.llm.store import ResponseStore
    from uaeval.run_folder import Manifest

Run: TypeAlias = Annotated[
    Path, typer.Argument(help="The folder of a run, or of an evaluation below it.")
]


def open_store(run: Path) -> "ResponseStore":
    """Open the response store of a run or evaluation."""
    from uaeval.errors import StorageError
    from uaeval.llm.store import ResponseStore

    path = run / "responses.sqlite"
    if not path.exists():
        raise StorageError(f"{run} is not the folder of a run: it has no responses.sqlite")
    return ResponseStore(path)


def base_url_of(run: Path) -> str | None:
    """Return the endpoint that the run was started with, if it names one."""
    manifest = _manifest(run)
    return str(manifest.settings.get("base_url") or "") or None if manifest else None


def note_usage(run: Path, store: "ResponseStore") -> None:
    """Set calls, tokens and cost of all answers in the manifest, if there is one yet."""
    from uaeval.evaluation.manifest import EvaluationManifest, write_manifest
    from uaeval.llm.ledger import Ledger
    from uaeval.llm.prices import open_prices
    from uaeval.llm.roles import role_usage
    from uaeval.run_folder import RunFolder

    manifest = _manifest(run)
    if manifest is None:
        return
    manifest.usage = role_usage(Ledger(store, open_prices(None, manifest.prices)))
    if isinstance(manifest, EvaluationManifest):
        write_manifest(run / "manifest.json", manifest)
    else:
        RunFolder(run).write_manifest(manifest)


def tell(counts: "ImportCounts") -> None:
    """Say what became of imported answers."""
    from uaeval.cli.terminal import say

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
    from uaeval.cli.terminal import say
    from uaeval.llm.batch import failures

    with open_store(run) as store:
        count = failures(store)
    if count:
        say(f"{count} requests failed; `uaeval batch retry {run}` has them asked again")


def _continuation(run: Path) -> Callable[..., None]:
    """Return what goes on with the synthesis or the evaluation that `run` holds."""
    from uaeval.cli.evaluate import run_evaluation
    from uaeval.cli.synthesize import run_synthesis
    from uaeval.config import EvaluationConfig, SynthesisConfig, build
    from uaeval.errors import StorageError
    from uaeval.evaluation.manifest import EvaluationManifest

    manifest = _manifest(run)
    if manifest is None:
        raise StorageError(f"{run} has no manifest.json; run its command again")
    if isinstance(manifest, EvaluationManifest):
        place = {"dataset": run.parents[1], "name": run.name, "mode": "batch"}
        evaluation = build(EvaluationConfig, **(manifest.settings | place))
        return partial(run_evaluation, evaluation)
    synthesis = build(SynthesisConfig, **(manifest.settings | {"output": run, "mode": "batch"}))
    return partial(run_synthesis, synthesis)


def _manifest(run: Path) -> "Manifest | EvaluationManifest | None":
    from uaeval.evaluation.manifest import read_manifest
    from uaeval.run_folder import RunFolder

    if run.parent.name == "evaluations":
        return read_manifest(run / "manifest.json")
    return RunFolder(run).manifest()
