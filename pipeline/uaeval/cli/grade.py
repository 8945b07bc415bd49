"""`uaeval grade`: open answers of models with and without context, graded by judges."""

from pathlib import Path
from typing import Annotated

import typer

from uaeval.cli import options

LACKING = 6


def grade(
    dataset: Annotated[Path, typer.Argument(help="The folder of a finished run.")],
    models: Annotated[
        str | None,
        typer.Option(
            help="Models that answer, comma-separated: `offline`, `provider:model`. [offline]"
        ),
    ] = None,
    conditions: Annotated[
        str | None,
        typer.Option(
            help="Comma-separated: `no_rag`, no context; `rag_gated`, context that passes the "
            "gate; `rag_always`, whatever was retrieved. [all three]"
        ),
    ] = None,
    judges: Annotated[
        str | None,
        typer.Option(
            help="Judges, comma-separated; the first grades, the others show how far judges "
            "agree. [offline]"
        ),
    ] = None,
    base_url: options.BaseUrl = None,
    judge_base_url: options.JudgeBaseUrl = None,
    name: Annotated[
        str | None, typer.Option(help="Folder below DATASET/gradings. [graded]")
    ] = None,
    embedding: options.RagEmbedding = None,
    retriever: options.Retriever = None,
    k: Annotated[int | None, typer.Option("-k", help="Passages that are retrieved. [5]")] = None,
    min_characters: Annotated[
        int | None, typer.Option(help="Gate: least characters of a context. [200]")
    ] = None,
    min_chunks: Annotated[
        int | None, typer.Option(help="Gate: least passages of a context. [2]")
    ] = None,
    min_similarity: Annotated[
        float | None, typer.Option(help="Gate: least best cosine similarity. [0.62]")
    ] = None,
    concurrency: options.Concurrency = None,
    rpm: options.RequestsPerMinute = None,
    tpm: options.TokensPerMinute = None,
    timeout: options.Timeout = None,
    retries: options.Retries = None,
    max_cost: options.MaxCost = None,
    max_calls: options.MaxCalls = None,
    prices: options.Prices = None,
    prompts: options.Prompts = None,
    config: options.Config = None,
) -> None:
    """Have models answer the dataset's controls with and without context, and grade them.

    Example: uaeval grade outputs/docs --models openai:gpt-4.1-mini --judges openai:gpt-4.1,offline
    """
    from uaeval.cli.progress import PhaseProgress
    from uaeval.cli.terminal import OUT, finish, say
    from uaeval.config import build, read_settings
    from uaeval.grading.files import summary_row
    from uaeval.grading.run import run_grading
    from uaeval.grading_config import GradingConfig
    from uaeval.report.agreement import agreement_sheet, disagreement_sheet
    from uaeval.report.grading import summary_sheet
    from uaeval.report.terminal import draw, usage_table

    given = {
        "dataset": dataset,
        "models": _listed(models),
        "conditions": _listed(conditions),
        "judges": _listed(judges),
        "base_url": base_url,
        "judge_base_url": judge_base_url,
        "name": name,
        "embedding": embedding,
        "retriever": retriever,
        "k": k,
        "min_characters": min_characters,
        "min_chunks": min_chunks,
        "min_similarity": min_similarity,
        "concurrency": concurrency,
        "requests_per_minute": rpm,
        "tokens_per_minute": tpm,
        "timeout": timeout,
        "max_retries": retries,
        "max_cost": max_cost,
        "max_calls": max_calls,
        "prices": prices,
        "prompts": prompts,
    }
    settings = read_settings(config) if config else {}
    settings |= {setting: value for setting, value in given.items() if value is not None}
    with PhaseProgress() as progress:
        found = finish(run_grading(build(GradingConfig, **settings), progress.phase, progress.done))
    OUT.print(draw(summary_sheet([summary_row(cell, found.samples) for cell in found.cells])))
    if found.agreement.passes:
        OUT.print(draw(agreement_sheet(found.agreement.passes, found.agreement.scores)))
        OUT.print(draw(disagreement_sheet(found.agreement.scores)))
    OUT.print(usage_table(found.manifest.usage, found.manifest.questions))
    say(f"The tables are in {found.folder}")
    if found.failures:
        say(f"{len(found.failures)} calls failed; run the same command to ask them again")
        raise typer.Exit(LACKING)


def _listed(given: str | None) -> list[str] | None:
    return [each.strip() for each in given.split(",")] if given else None
