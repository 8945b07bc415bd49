"""`uaeval synthesize`: a knowledge base in, a proven dataset out."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from uaeval.cli import options

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
    size: options.Size = None,
    categories: options.Categories = None,
    seed: options.Seed = None,
    model: options.Author = None,
    verifier: options.Verifier = None,
    base_url: options.BaseUrl = None,
    verifier_base_url: options.VerifierBaseUrl = None,
    samples: options.VerifierSamples = None,
    queries: options.Queries = None,
    news: options.News = None,
    since: options.Since = None,
    per_source: options.PerSource = None,
    add_topic: options.AddTopic = None,
    pin_topic: options.PinTopic = None,
    forbid_topic: options.ForbidTopic = None,
    allow_host: options.AllowHost = None,
    contact: options.Contact = None,
    web_proxy: options.WebProxy = None,
    ask_rag: options.AskRag = None,
    mode: options.Mode = None,
    concurrency: options.Concurrency = None,
    rpm: options.RequestsPerMinute = None,
    tpm: options.TokensPerMinute = None,
    timeout: options.Timeout = None,
    retries: options.Retries = None,
    max_cost: options.MaxCost = None,
    max_calls: options.MaxCalls = None,
    prices: options.Prices = None,
    language: options.Language = None,
    embedding: options.Embedding = None,
    prompts: options.Prompts = None,
    config: options.Config = None,
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
    given = {
        "knowledge_base": knowledge_base,
        "output": output,
        "size": size,
        "categories": categories,
        "seed": seed,
        "model": model,
        "verifier": verifier,
        "base_url": base_url,
        "verifier_base_url": verifier_base_url,
        "samples": samples,
        "queries": queries,
        "news": news,
        "since": since,
        "per_source": per_source,
        "add_topics": add_topic,
        "pin_topics": pin_topic,
        "forbid_topics": forbid_topic,
        "allow_hosts": allow_host,
        "contact": contact,
        "web_proxy": web_proxy,
        "ask_rag": ask_rag,
        "mode": mode,
        "concurrency": concurrency,
        "requests_per_minute": rpm,
        "tokens_per_minute": tpm,
        "timeout": timeout,
        "max_retries": retries,
        "max_cost": max_cost,
        "max_calls": max_calls,
        "prices": prices,
        "language": language,
        "embedding": embedding,
        "prompts": prompts,
    }
    run_synthesis(settings_of(given, config), strict=strict, refresh=refresh)


def settings_of(given: Mapping[str, object], config: Path | None) -> "SynthesisConfig":
    """Return the settings that stand in a file, under the options that were given."""
    from uaeval.config import SynthesisConfig, build, read_settings

    settings = read_settings(config) if config else {}
    settings |= {name: value for name, value in given.items() if value not in (None, [])}
    categories = settings.get("categories")
    if isinstance(categories, str):
        settings["categories"] = tuple(part.strip() for part in categories.split(","))
    return build(SynthesisConfig, **settings)


def run_synthesis(
    config: "SynthesisConfig",
    *,
    strict: bool = False,
    refresh: bool = False,
    tell_next: bool = True,
) -> None:
    """Run, show the summary, and exit as scripts expect.

    With `tell_next` a run that awaits answers says which commands bring them.
    """
    from uaeval.cli.terminal import OUT, say, say_awaited
    from uaeval.report.terminal import dataset_tables

    manifest = _finished(config, refresh) or _work(config, refresh)
    OUT.print(dataset_tables(manifest))
    if place := manifest.knowledge_base.news.proxy:
        say(f"Articles came through the proxy {place}; the addresses of their hosts went unchecked")
    if manifest.status == "waiting":
        if tell_next:
            say_awaited(config.output)
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
    """Return the manifest of a finished, undamaged run, without loading what work would need."""
    from uaeval.prompts import open_prompts
    from uaeval.run_folder import RunFolder
    from uaeval.synthesis.sittings import earlier_sitting, fingerprints

    library = open_prompts(config.prompts)
    earlier = earlier_sitting(config, library, fingerprints(config), refresh=refresh)
    if not earlier or earlier.status != "complete" or RunFolder(config.output).damage(earlier):
        return None
    return earlier


def _work(config: "SynthesisConfig", refresh: bool) -> "Manifest":
    from uaeval.api import synthesize_run
    from uaeval.cli.progress import SynthesisProgress
    from uaeval.cli.terminal import finish

    with SynthesisProgress() as progress:
        return finish(synthesize_run(config, progress, refresh=refresh))
