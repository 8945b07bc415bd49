"""`uaeval batch`: requests out as a file in the OpenAI Batch format, answers in."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from uaeval.llm.store import ResponseStore

batch = typer.Typer(
    help="Ask a model in bulk: write requests to a file, go on with its answers.",
    no_args_is_help=True,
)


@batch.command("export")
def export_requests(
    run: Annotated[Path, typer.Argument(help="The folder of a run, or of an evaluation below it.")],
    file: Annotated[Path, typer.Argument(help="Where to write the requests (OpenAI Batch JSONL).")],
) -> None:
    """Write every request that awaits an answer; `vllm run-batch` reads the same file."""
    from uaeval.cli.terminal import say
    from uaeval.llm.batch import export, waiting

    with _store(run) as store:
        count = waiting(store)
        if not count:
            say(f"{run} awaits no answers")
            return
        files = export(store, file)
    say(f"{count} requests in {', '.join(map(str, files))}")


@batch.command("import")
def import_file(
    run: Annotated[Path, typer.Argument(help="The folder of a run, or of an evaluation below it.")],
    file: Annotated[Path, typer.Argument(help="Answers (OpenAI Batch output JSONL).")],
    go_on: Annotated[
        bool, typer.Option(help="Go on with the run as far as the answers reach.")
    ] = True,
) -> None:
    """Take answers in, in any order, whole or in part, and go on with the run."""
    from uaeval.cli.terminal import say
    from uaeval.llm.batch_answers import import_answers

    with _store(run) as store:
        counts = import_answers(file, store)
    say(
        f"{counts.imported} answers imported, {counts.already} were here before, "
        f"{counts.failed} failed, {counts.unknown} were never asked, "
        f"{len(counts.unreadable)} lines are no answers; "
        f"{counts.usage.prompt_tokens} prompt and {counts.usage.completion_tokens} completion "
        "tokens"
    )
    if counts.unreadable:
        say(f"unreadable lines of {file}: {', '.join(map(str, counts.unreadable[:20]))}")
    if go_on:
        _continuation(run)()


@batch.command("retry")
def retry(
    run: Annotated[Path, typer.Argument(help="The folder of a run, or of an evaluation below it.")],
) -> None:
    """Ask again what failed for good in earlier rounds (expired, refused or unreadable answers)."""
    from uaeval.cli.terminal import say
    from uaeval.llm.batch import retry_failures

    with _store(run) as store:
        count = retry_failures(store)
    say(f"{count} failed requests await an answer again; export them with `uaeval batch export`")


def _store(run: Path) -> "ResponseStore":
    from uaeval.errors import StorageError
    from uaeval.llm.store import ResponseStore

    path = run / "responses.sqlite"
    if not path.exists():
        raise StorageError(f"{run} is not the folder of a run: it has no responses.sqlite")
    return ResponseStore(path)


def _continuation(run: Path) -> Callable[[], None]:
    """Return what goes on with the synthesis or the evaluation that `run` holds."""
    from uaeval.cli.evaluate import run_evaluation
    from uaeval.cli.synthesize import run_synthesis
    from uaeval.config import EvaluationConfig, SynthesisConfig, build
    from uaeval.evaluation.manifest import read_manifest
    from uaeval.run_folder import RunFolder

    if run.parent.name == "evaluations":
        evaluation = read_manifest(run / "manifest.json")
        if evaluation:
            place = {"dataset": run.parents[1], "name": run.name, "mode": "batch"}
            config = build(EvaluationConfig, **(evaluation.settings | place))
            return lambda: run_evaluation(config)
    manifest = RunFolder(run).manifest()
    if manifest is None:
        from uaeval.errors import StorageError

        raise StorageError(f"{run} has no manifest.json; run its synthesize command again")
    settings = build(SynthesisConfig, **(manifest.settings | {"output": run, "mode": "batch"}))
    return lambda: run_synthesis(settings)
