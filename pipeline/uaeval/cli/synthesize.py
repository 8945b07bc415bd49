"""`uaeval synthesize`: write a proven dataset from a knowledge base."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from uaeval.cli.terminal import ExitCode, finish, say, say_text, show_tables
from uaeval.errors import KnowledgeBaseError

if TYPE_CHECKING:
    from uaeval.config import SynthesisConfig


def synthesize(
    ctx: typer.Context,
    refresh: Annotated[
        bool,
        typer.Option(
            "--refresh",
            help="Repeat the run in its folder after knowledge base or settings have changed. "
            "Unchanged documents stay indexed, and replies that still fit are kept.",
        ),
    ] = False,
) -> None:
    """Write queries that should not be answered, each proven, each with an answerable twin.

    Run the same command again to resume. A finished run does nothing.

    Example: uaeval synthesize ./docs -o outputs/docs --model openai:gpt-4.1-mini --size 300
    """
    from uaeval.config import SynthesisConfig

    raise typer.Exit(run_synthesis(ctx.obj.configure(SynthesisConfig), refresh=refresh))


def run_synthesis(
    config: "SynthesisConfig", *, refresh: bool = False, say_next: bool = True
) -> int:
    """Run the synthesis, show a summary, and return the exit code.

    With `say_next`, print the commands that get pending replies.
    """
    from uaeval.llm.names import OFFLINE
    from uaeval.report.dataset import dataset_tables
    from uaeval.run.progress import ProgressListener
    from uaeval.run_folder import RunFolder
    from uaeval.synthesis.sessions import Session, earlier_session

    manifest = earlier_session(Session.of(config, ProgressListener(), refresh=refresh))
    folder = RunFolder(config.output)
    if manifest is None or manifest.status != "complete" or folder.damage(manifest):
        # slow to import, and a finished run does not need it
        from uaeval.jobs import synthesize_run

        manifest = finish(partial(synthesize_run, config, refresh=refresh))
    show_tables(*dataset_tables(manifest))
    base = manifest.knowledge_base
    if config.strict and base.unread:
        raise KnowledgeBaseError(f"{base.unread} in {config.output} (--strict)")
    say(*base.omissions)
    if proxy := base.news.proxy:
        say(f"Articles came through the proxy {proxy}; the addresses of their hosts are unchecked")
    if manifest.status == "waiting":
        if say_next:
            say_text("awaited", folder=config.output)
        return ExitCode.AWAITED
    proven = any(manifest.selected.values())
    say(f"The dataset is {folder.queries_path}" if proven else "no query is proven")
    remedy = "; the offline engine has tried every passage, a language model writes more (--model)"
    for category, count in manifest.short.items():
        more = remedy if config.model == OFFLINE else ""
        say(f"{category}: {count} fewer than asked; the table says why{more}")
    if manifest.status == "lacking":
        say("calls failed; run the same command to repeat them")
        return ExitCode.LACKING
    return ExitCode.SHORT if manifest.short and (config.strict or not proven) else ExitCode.DONE
