"""The gate of `evaluate`: compare scores with limits, and exit with 3 if one is exceeded."""

from pathlib import Path

import typer

from uaeval.cli.terminal import GATE_FAILED, complain, say
from uaeval.config import GateSettings
from uaeval.errors import ConfigError, StorageError
from uaeval.evaluation.gate import Gate, check_gate, read_limits
from uaeval.evaluation.run import Evaluation
from uaeval.report.junit import write_junit
from uaeval.storage import make_folder


def gate_of(settings: GateSettings) -> Gate | None:
    """Return the gate that is set; `None` without any setting.

    Raises:
        ConfigError: a limit cannot be read, or other settings of the gate stand without one.
        StorageError: `junit` is a folder, or its folder cannot be made.
    """
    if not settings.model_fields_set:
        return None
    limits = read_limits(settings.fail_under, settings.fail_over)
    if not limits:
        raise ConfigError(
            "--lower-end, --min-coverage and --junit belong to a gate; "
            "give a limit too, as in --fail-under joint=0.75"
        )
    if settings.junit:
        if settings.junit.is_dir():
            raise StorageError(f"--junit: {settings.junit} is a folder; name a file in it")
        make_folder(settings.junit.parent)
    return Gate(limits=limits, lower_end=settings.lower_end, min_coverage=settings.min_coverage)


def apply_gate(gate: Gate, evaluation: Evaluation, junit: Path | None) -> None:
    """Compare the scores with the gate; print the result and write it to `junit`.

    Raises:
        typer.Exit: a score exceeds its limit.
    """
    checks = check_gate(gate, evaluation.scores)
    if junit:
        write_junit(junit, evaluation.folder.name, checks)
    for check in checks:
        if check.passed:
            say(f"gate {check.limit.written}: passed ({check.message})")
        else:
            complain(f"gate {check.limit.written}: failed ({check.message})")
    if not all(check.passed for check in checks):
        raise typer.Exit(GATE_FAILED)
