"""`uaeval synthesize`: a knowledge base in, a proven dataset out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from uaeval.config import SynthesisConfig
    from uaeval.run_folder import Manifest

SHORT = 1
AWAITED = 5
LACKING = 6


def synthesize(
    knowledge_base: Annotated[
        str,
        typer.Argument(
            help="A folder or file (txt, md, html, pdf, docx, jsonl, csv, parquet), "
            "`hf:<dataset>` or `chroma:<folder>#<collection>`."
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder of the run; made if it is not there.")
    ],
    size: Annotated[
        int | None, typer.Option(help="Unanswerable queries in all; twins on top. [120]")
    ] = None,
    categories: Annotated[
        str | None, typer.Option(help="Comma-separated; all six if not given.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Same seed, same dataset. [0]")] = None,
    model: Annotated[
        str | None,
        typer.Option(help="The author: `rules` (offline, English) or `provider:model`. [rules]"),
    ] = None,
    verifier: Annotated[
        str | None, typer.Option(help="The verifier, if it is not the author's model.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Address of an OpenAI-compatible endpoint.")
    ] = None,
    news: Annotated[
        str | None,
        typer.Option(
            help="Folder of outside articles for out_of_database, or `holdout`: set documents "
            "of the knowledge base aside. [holdout]"
        ),
    ] = None,
    mode: Annotated[
        str | None, typer.Option(help="`live`, or `batch`: write requests to a file. [live]")
    ] = None,
    concurrency: Annotated[int | None, typer.Option(help="Passages worked on at once. [8]")] = None,
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
    language: Annotated[
        str | None, typer.Option(help="Language of the queries; `auto`: the passage's. [auto]")
    ] = None,
    embedding: Annotated[
        str | None,
        typer.Option(help="`hashed-words-1024` (offline) or `provider:model`. [hashed-words-1024]"),
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option(help="Folder whose files replace shipped prompts.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="YAML file of settings; options here win over it.")
    ] = None,
    refresh: Annotated[
        bool,
        typer.Option(
            "--refresh",
            help="If the folder holds a run of an older knowledge base or other settings, do it "
            "anew; unchanged documents stay indexed and answers that still fit are kept.",
        ),
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if any category falls short.")
    ] = False,
) -> None:
    """Write queries that should not be answered, each proven, each with an answerable twin.

    Running the same command again goes on where the last one stopped; a finished run does nothing.

    Example: uaeval synthesize ./docs -o outputs/docs --model openai:gpt-4.1-mini --size 300
    """
    from uaeval.config import SynthesisConfig, build, read_settings

    given = {
        "knowledge_base": knowledge_base,
        "output": output,
        "size": size,
        "categories": tuple(part.strip() for part in categories.split(",")) if categories else None,
        "seed": seed,
        "model": model,
        "verifier": verifier,
        "base_url": base_url,
        "news": news,
        "mode": mode,
        "concurrency": concurrency,
        "requests_per_minute": rpm,
        "tokens_per_minute": tpm,
        "timeout": timeout,
        "max_retries": retries,
        "language": language,
        "embedding": embedding,
        "prompts": prompts,
    }
    settings = read_settings(config) if config else {}
    settings |= {name: value for name, value in given.items() if value is not None}
    run_synthesis(build(SynthesisConfig, **settings), strict=strict, refresh=refresh)


def run_synthesis(
    config: "SynthesisConfig", *, strict: bool = False, refresh: bool = False
) -> None:
    """Run, show the summary, and exit as scripts expect."""
    from uaeval.cli.terminal import OUT, say
    from uaeval.report.terminal import dataset_tables

    manifest = _finished(config, refresh) or _work(config, refresh)
    OUT.print(dataset_tables(manifest))
    if manifest.status == "waiting":
        say(
            f"Answers are awaited. Write the requests to a file with\n"
            f"  uaeval batch export {config.output} requests.jsonl\n"
            f"and go on with their answers by\n"
            f"  uaeval batch import {config.output} answers.jsonl"
        )
        raise typer.Exit(AWAITED)
    say(f"The dataset is {config.output / 'queries.jsonl'}")
    for category, count in manifest.short.items():
        say(f"{category}: {count} fewer than asked; the table says why")
    if manifest.status == "lacking":
        say("calls failed; run the same command to ask them again")
        raise typer.Exit(LACKING)
    if manifest.short and strict:
        raise typer.Exit(SHORT)


def _finished(config: "SynthesisConfig", refresh: bool) -> "Manifest | None":
    """Return the manifest of a finished run, without loading what work would need."""
    from uaeval.prompts import open_prompts
    from uaeval.synthesis.sittings import earlier_sitting, fingerprints

    library = open_prompts(config.prompts)
    earlier = earlier_sitting(config, library, fingerprints(config), refresh=refresh)
    return earlier if earlier and earlier.status == "complete" else None


def _work(config: "SynthesisConfig", refresh: bool) -> "Manifest":
    from uaeval.api import synthesize_run
    from uaeval.cli.progress import SynthesisProgress
    from uaeval.cli.terminal import finish

    with SynthesisProgress() as progress:
        return finish(synthesize_run(config, progress, refresh=refresh))
