"""What `evaluate` does for a pipeline: hold the scores to limits, and exit with 3 if they fail."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from uaeval.evaluation.gate import Gate
    from uaeval.evaluation.run import Evaluation


def gate_of(
    under: Sequence[str],
    over: Sequence[str],
    lower_end: bool,
    min_coverage: float | None,
    junit: Path | None,
) -> "Gate | None":
    """Return the gate that the options describe; `None` if they name no limit.

    Raises:
        ConfigError: a limit cannot be read, or options of the gate stand without one.
        StorageError: `junit` is a folder, or its folder cannot be made.
    """
    if not (under or over or lower_end or junit or min_coverage is not None):
        return None
    from uaeval.errors import ConfigError
    from uaeval.evaluation.gate import DEFAULT_COVERAGE, Gate, read_limits

    limits = read_limits(under, over)
    if not limits:
        raise ConfigError(
            "--lower-end, --min-coverage and --junit belong to a gate; "
            "give a limit too, as in --fail-under joint=0.75"
        )
    if junit:
        _make_place(junit)
    covered = DEFAULT_COVERAGE if min_coverage is None else min_coverage
    return Gate(limits=limits, lower_end=lower_end, min_coverage=covered)


def _make_place(junit: Path) -> None:
    """Find out before anything is asked whether there is a place for the file."""
    from uaeval.errors import StorageError
    from uaeval.storage import make_folder

    if junit.is_dir():
        raise StorageError(f"--junit: {junit} is a folder; name a file in it")
    make_folder(junit.parent)


def hold(gate: "Gate", found: "Evaluation", junit: Path | None) -> None:
    """Hold the scores to the gate, say and write what came of it.

    Raises:
        typer.Exit: it does not hold.
    """
    from uaeval.cli.terminal import GATE_FAILED, complain, say
    from uaeval.evaluation.gate import check_gate
    from uaeval.report.junit import write_junit

    checks = check_gate(gate, found.scores)
    if junit:
        write_junit(junit, found.folder.name, checks)
    for check in checks:
        if check.passed:
            say(f"gate {check.limit.written}: passed ({check.told})")
        else:
            complain(f"gate {check.limit.written}: failed ({check.told})")
    if not all(check.passed for check in checks):
        raise typer.Exit(GATE_FAILED)
