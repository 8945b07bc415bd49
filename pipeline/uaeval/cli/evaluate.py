"""`uaeval evaluate`: a dataset and a system in, scores out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from uaeval.config import EvaluationConfig

AWAITED = 5
LACKING = 6


def evaluate(
    dataset: Annotated[Path, typer.Argument(help="The folder of a finished run.")],
    system: Annotated[
        str | None, typer.Option(help="The system under test: `rag`, the built-in one. [rag]")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Folder below DATASET/evaluations. [the system's name]")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="The built-in RAG's model. [rules: extractive, offline]")
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="The judge, if it is not the RAG's model.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Address of an OpenAI-compatible endpoint.")
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            help="What is acceptable for an underspecified query: `lenient`, any refusal; "
            "`strict`, asking back or several readings. [lenient]"
        ),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            help="Weights of correctness and acceptable ratio in the joint score. [.7,.3]"
        ),
    ] = None,
    k: Annotated[int | None, typer.Option("-k", help="Passages the RAG retrieves. [5]")] = None,
    mode: Annotated[
        str | None, typer.Option(help="`live`, or `batch`: write requests to a file. [live]")
    ] = None,
    concurrency: Annotated[int | None, typer.Option(help="Queries worked on at once. [8]")] = None,
    rpm: Annotated[
        int | None, typer.Option(help="Requests per minute to one model. [no limit]")
    ] = None,
    tpm: Annotated[
        int | None, typer.Option(help="Tokens per minute to one model. [no limit]")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(help="Seconds for one attempt at a call. [120]")
    ] = None,
    retries: Annotated[
        int | None, typer.Option(help="Further attempts at a call that failed. [4]")
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option(help="Folder whose files replace shipped prompts.")
    ] = None,
) -> None:
    """Ask a system every query of a dataset, judge what it says, and score it.

    Example: uaeval evaluate outputs/docs --system rag --model openai:gpt-4.1-mini
    """
    from uaeval.config import EvaluationConfig, build

    config = build(
        EvaluationConfig,
        dataset=dataset,
        system=system,
        name=name,
        model=model,
        judge=judge,
        base_url=base_url,
        policy=policy,
        weights=_shares(weights) if weights else None,
        k=k,
        mode=mode,
        concurrency=concurrency,
        requests_per_minute=rpm,
        tokens_per_minute=tpm,
        timeout=timeout,
        max_retries=retries,
        prompts=prompts,
    )
    run_evaluation(config)


def _shares(text: str) -> tuple[float, ...]:
    from uaeval.errors import ConfigError

    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError as error:
        raise ConfigError(f"--weights wants two numbers such as 0.7,0.3, got {text!r}") from error


def run_evaluation(config: "EvaluationConfig") -> None:
    """Run, show the scores, and exit as scripts expect."""
    from uaeval.api import evaluate_run
    from uaeval.cli.progress import PhaseProgress
    from uaeval.cli.terminal import OUT, finish, say
    from uaeval.report.terminal import score_tables

    with PhaseProgress() as progress:
        found = finish(evaluate_run(config, progress.phase, progress.done))
    if found.waiting:
        say(
            f"{found.waiting} answers are awaited. Write the requests to a file with\n"
            f"  uaeval batch export {found.folder} requests.jsonl\n"
            f"and go on with their answers by\n"
            f"  uaeval batch import {found.folder} answers.jsonl"
        )
        raise typer.Exit(AWAITED)
    OUT.print(score_tables(found.scores, found.blocked_counts))
    say(f"The report is {found.folder / 'report.md'}")
    if found.failures:
        say(f"{len(found.failures)} calls failed; run the same command to ask them again")
    if found.failures and not found.judgements:
        raise typer.Exit(LACKING)
