"""The gate of `evaluate`: compare scores with limits."""

from collections.abc import Sequence

from uaeval.cli.terminal import complain, say
from uaeval.config import GateSettings
from uaeval.errors import ConfigError, StorageError
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.gate import Limit, check_gate, read_limits
from uaeval.report.junit import write_junit
from uaeval.storage import make_folder


def limits_of(settings: GateSettings) -> tuple[Limit, ...]:
    """Return the limits of the gate; none without any setting.

    Raises:
        ConfigError: a limit cannot be read, or other settings of the gate stand without one.
        StorageError: `junit` is a folder, or its folder cannot be made.
    """
    if not settings.model_fields_set:
        return ()
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
    return limits


def gate_holds(limits: Sequence[Limit], settings: GateSettings, evaluation: Evaluation) -> bool:
    """Compare the scores with the gate; print the result, and write it to `settings.junit`."""
    checks = check_gate(limits, evaluation.scores, settings)
    if settings.junit:
        write_junit(settings.junit, evaluation.folder.name, checks)
    for check in checks:
        if check.passed:
            say(f"gate {check.limit.written}: passed ({check.message})")
        else:
            complain(f"gate {check.limit.written}: failed ({check.message})")
    return all(check.passed for check in checks)
