"""The `uaeval` command: its subcommands, and the exit codes of errors."""

import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from uaeval.cli import pages, publish, results
from uaeval.cli.batch import batch
from uaeval.cli.estimate import estimate
from uaeval.cli.evaluate import evaluate, grade, sweep
from uaeval.cli.settings import taking
from uaeval.cli.synthesize import synthesize
from uaeval.cli.terminal import ExitCode, complain
from uaeval.errors import RunAborted, UsageError
from uaeval.plugins import package_that_failed
from uaeval.redaction import redact

HELP = """Does your RAG system know when not to answer?

uaeval writes queries that a RAG system should not answer, proves each one against your whole
knowledge base, pairs it with an answerable twin, puts both to a system, and scores the responses.

Exit codes: 0 done; 1 no query is proven, or with --strict fewer than asked; 2 input or settings
cannot be used, or with --strict a file of the knowledge base cannot be read; 3 a gate
(--fail-under, --fail-over) does not hold; 4 stopped because a model is out of reach or a limit of
cost or calls is reached, run again to resume; 5 waiting for answers of a batch; 6 finished, but
calls failed, run again to repeat them; 70 an error of uaeval or of a plugin; 130 interrupted, run
again to resume.
"""


class InterruptibleGroup(TyperGroup):
    """The commands; on Ctrl-C, they print how to resume and exit with 130."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that is given."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            complain("interrupted; the replies so far are kept, run the same command to resume")
            raise typer.Exit(ExitCode.INTERRUPTED) from None


app = typer.Typer(
    cls=InterruptibleGroup,
    help=HELP,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
COMMANDS: Final[Mapping[Callable[..., None], type[TyperCommand] | None]] = {
    estimate: taking("SynthesisConfig", "EvaluationConfig", required=False),
    synthesize: taking("SynthesisConfig"),
    evaluate: taking("EvaluationConfig", "GateSettings"),
    results.score: taking("RescoreSettings", file=False),
    sweep: taking("CallSettings", "Spending", file=False),
    grade: taking("GradingConfig"),
    **dict.fromkeys((results.show, pages.view, results.compare)),
    results.report: taking("ReportSettings", file=False),
    **dict.fromkeys(
        (results.sample, results.calibrate, pages.review, publish.export, publish.push)
    ),
}
"""The functions of the commands, and the settings that each takes."""
for command, settings in COMMANDS.items():
    app.command(cls=settings)(command)
app.add_typer(batch, name="batch")


def _version(requested: bool) -> None:
    if requested:
        from importlib.metadata import version

        typer.echo(f"uaeval {version('uaeval')}")
        raise typer.Exit


@app.callback()
def _options(
    _version_requested: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
    _debug: bool = typer.Option(False, "--debug", help="Show the traceback of an internal error."),
) -> None:
    """Declare the options of `uaeval` itself; the help text is `HELP`."""


def main() -> None:
    """Run the command line; print an error as one line, and exit with its code."""
    try:
        app()
    except UsageError as error:
        complain(str(error))
        sys.exit(ExitCode.UNUSABLE)
    except RunAborted as error:
        reason = str(error).rstrip(".")
        complain(f"{reason}. The replies so far are kept; run the same command to resume.")
        sys.exit(ExitCode.ABORTED)
    except Exception as error:  # noqa: BLE001 - the last handler, which reports a bug
        if "--debug" in sys.argv:
            sys.stderr.write(redact(traceback.format_exc()))
            sys.exit(ExitCode.INTERNAL)
        place = traceback.extract_tb(error.__traceback__)[-1]
        package = package_that_failed(error)
        complain(
            f"{f'the plugin {package} failed' if package else 'internal error'}: "
            f"{type(error).__name__}: {error} "
            f"({Path(place.filename).name}:{place.lineno}). Show the traceback with "
            f"`uaeval --debug …`, and report it to {'its authors' if package else 'the project'}."
        )
        sys.exit(ExitCode.INTERNAL)
