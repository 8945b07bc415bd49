"""`uaeval evaluate`, `sweep`, `grade`: put the queries of a dataset to systems and models."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from uaeval.cli import terminal
from uaeval.errors import ConfigError, StorageError

if TYPE_CHECKING:
    from uaeval.config import EvaluationConfig, GateSettings
    from uaeval.evaluation.evaluation import Evaluation
    from uaeval.evaluation.gate import Check, Limit
    from uaeval.records import Failure

GATE: Final = "gate.json"
"""The gate of the last `evaluate` in batch mode; `uaeval batch` checks it at each import."""
_MOST_LISTED = 10
"""Most queries without a recorded response that are listed."""
_MOST_SHOWN = 300
"""Most characters of an error that are shown."""
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow, not even escaped."""


def evaluate(ctx: typer.Context) -> None:
    """Put every query of a dataset to a system, judge the responses, and compute scores.

    Example: uaeval evaluate outputs/docs --system http --url http://localhost:8000/ask
    """
    from uaeval.config import EvaluationConfig, GateSettings

    gate = ctx.obj.configure(GateSettings)
    raise typer.Exit(run_evaluation(ctx.obj.configure(EvaluationConfig), gate))


def _limits(settings: "GateSettings", metrics: "Sequence[str]") -> "Sequence[Limit]":
    """Return the limits of the gate; none if no setting of the gate is given."""
    from uaeval.evaluation.gate import read_limits, require_measured
    from uaeval.storage import make_folder

    if not settings.model_fields_set:
        return ()
    if not (limits := read_limits(settings.fail_under, settings.fail_over)):
        raise ConfigError(
            "--lower-end, --min-coverage and --junit belong to a gate; "
            "give a limit too, as in --fail-under joint=0.75"
        )
    require_measured(limits, metrics)
    if settings.junit:
        if settings.junit.is_dir():
            raise StorageError(f"--junit: {settings.junit} is a folder; name a file in it")
        make_folder(settings.junit.parent)
    return limits


def _passes_gate(
    limits: "Sequence[Limit]", settings: "GateSettings", evaluation: "Evaluation"
) -> bool:
    """Check the gate, print the results, and write them to `settings.junit`; return the verdict."""
    from uaeval.evaluation.gate import check_gate

    checks = check_gate(limits, evaluation.scores, settings)
    if settings.junit:
        write_junit(settings.junit, evaluation.folder.name, checks)
    for check in checks:
        report, result = (terminal.say, "passed") if check.passed else (terminal.complain, "failed")
        report(f"gate {check.limit.written}: {result} ({check.message})")
    return all(check.passed for check in checks)


def write_junit(path: Path, evaluation: str, checks: "Sequence[Check]") -> None:
    """Write a JUnit file with a test case for each limit; raise `StorageError` if it cannot be."""
    from uaeval.report.text import environment
    from uaeval.storage import write_text

    template = environment("uaeval.report", html=True).get_template("junit.xml.jinja")
    write_text(path, _NO_XML.sub("�", template.render(evaluation=evaluation, checks=checks)) + "\n")


def _say_undecided(failures: "Sequence[Failure]", option: str) -> "list[Failure]":
    """Print how many calls the offline judge left undecided; return the other failures."""
    from uaeval.runner import is_undecided

    repeatable = [failure for failure in failures if not is_undecided(failure)]
    if undecided := len(failures) - len(repeatable):
        terminal.say(
            f"The offline judge could not decide {undecided} times; these count as errors. Name a "
            f"model with {option} to have them judged"
        )
    return repeatable


def _exit_if_failed(count: int) -> None:
    """Print the number of failed calls, if there are any, and exit with `LACKING`."""
    if count:
        terminal.say(f"{count} calls failed; run the same command to repeat them")
        raise typer.Exit(terminal.ExitCode.LACKING)


def _say_failures(config: "EvaluationConfig", failures: "Sequence[Failure]") -> None:
    """Print the number of failed calls and of missing recorded responses, and the remedy."""
    from uaeval.systems.kind import RECORDED

    kind, _, path = config.system.partition(":")
    if missing := [call.id for call in failures if call.stage == "respond" and kind == RECORDED]:
        more = f" and {len(missing) - _MOST_LISTED} more" if len(missing) > _MOST_LISTED else ""
        terminal.complain(
            f"{path} has no response, or an error, for {len(missing)} of the queries: "
            f"{', '.join(missing[:_MOST_LISTED])}{more}; add the missing responses and evaluate "
            "under another --name"
        )
    if others := [call for call in failures if call.stage != "respond"] if missing else failures:
        terminal.say(
            f"{len(others)} calls failed; run the same command to repeat them. The first: "
            f"{others[0].message[:_MOST_SHOWN]}"
        )


def run_evaluation(
    config: "EvaluationConfig", gate: "GateSettings", *, say_next: bool = True
) -> int:
    """Run the evaluation, show its scores, and return the exit code.

    If a gate passes, failed calls do not change the exit code, because the gate has a minimum
    coverage. With `say_next`, print the commands that get pending replies.
    """
    from uaeval.jobs import evaluate_run
    from uaeval.llm.names import is_offline
    from uaeval.report.agreement import others_table
    from uaeval.report.context import judge_option, judge_worth, system_lines
    from uaeval.report.costs import usage_table
    from uaeval.report.dataset import blocked_table
    from uaeval.report.overview import attribution_table, headline, overview_tables, record_lines
    from uaeval.storage import write_json

    limits = _limits(gate, config.metrics)
    evaluation = terminal.finish(partial(evaluate_run, config))
    gate_path = evaluation.folder / GATE
    if evaluation.waiting or gate_path.exists():
        write_json(gate_path, gate.model_dump(mode="json", exclude_unset=True))
    if evaluation.waiting:
        if say_next:
            terminal.say_text("awaited", folder=evaluation.folder)
            if limits:
                terminal.say("The gate is checked when the last answers are imported.")
        return terminal.ExitCode.AWAITED
    terminal.say(*record_lines(evaluation))
    terminal.show_tables(
        *overview_tables(evaluation.scores, brief=True),
        blocked_table(evaluation.blocked_counts),
        attribution_table(evaluation),
        others_table(evaluation.others),
    )
    manifest = evaluation.manifest
    terminal.say(*system_lines(evaluation))
    terminal.show_tables(usage_table(manifest.usage, len(evaluation.queries), "query"))
    if is_offline(manifest.models["judge"]):
        terminal.say(judge_worth(judge_option(manifest.settings)))
    terminal.say(headline(evaluation.scores))
    terminal.say(f"The report is {evaluation.folder / 'report.md'}")
    failures = _say_undecided(evaluation.failures, "--judge")
    _say_failures(config, failures)
    if limits and not _passes_gate(limits, gate, evaluation):
        return terminal.ExitCode.GATE_FAILED
    blocked = not evaluation.judgements and evaluation.blocked_counts["judge"]
    gated = limits and evaluation.judgements
    lacking = (failures or blocked) and not gated
    return terminal.ExitCode.LACKING if lacking else terminal.ExitCode.DONE


def sweep(
    ctx: typer.Context,
    grid: Annotated[
        Path, typer.Argument(help="YAML file: settings of `evaluate`, and lists of them in `grid`.")
    ],
) -> None:
    """Evaluate every combination of a grid of settings, and show them by joint score.

    Cells share retrieval and stored replies. Run the same command again to resume.

    Example: uaeval sweep grid.yaml
    """
    from uaeval.report.costs import usage_table
    from uaeval.report.sweep import sweep_tables
    from uaeval.sweep.grid import read_grid
    from uaeval.sweep.run import run_sweep

    cells = read_grid(grid, ctx.obj.options)
    result = terminal.finish(partial(run_sweep, cells))
    cells_table, _ = sweep_tables(result.ranked, result.comparisons, brief=True)
    terminal.show_tables(cells_table, usage_table(result.usage, len(result.ranked), "query"))
    terminal.say(f"The table is {cells.folder / 'table.md'}")
    _exit_if_failed(len(_say_undecided(result.failures, "--judge")))


def grade(ctx: typer.Context) -> None:
    """Have models answer the dataset's twins with and without context, and grade them.

    Example: uaeval grade outputs/docs --models openai:gpt-4.1-mini --judges openai:gpt-4.1,offline
    """
    from uaeval.config import GradingConfig
    from uaeval.grading.files import summary_row
    from uaeval.grading.run import run_grading
    from uaeval.report.agreement import grading_tables
    from uaeval.report.costs import usage_table

    config = ctx.obj.configure(GradingConfig)
    grading = terminal.finish(partial(run_grading, config))
    cells = dict.fromkeys(sample.cell for sample in grading.samples)
    rows = [summary_row(cell, grading.samples) for cell in cells]
    terminal.show_tables(
        *grading_tables(rows, grading.agreement.passes, grading.agreement.scores),
        usage_table(grading.manifest.usage, grading.manifest.questions, "query"),
    )
    terminal.say(f"The tables are in {config.folder}")
    _exit_if_failed(len(_say_undecided(grading.failures, "--judges")))
