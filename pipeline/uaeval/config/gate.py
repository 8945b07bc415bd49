"""Settings of the gate: bounds on the scores of an evaluation."""

from pathlib import Path
from typing import Final

from uaeval.config.settings import Settings, Several

DEFAULT_COVERAGE: Final = 0.95


class GateSettings(Settings):
    """Bounds on the scores."""

    fail_under: Several = ()
    """`FIGURE=MIN`: exit with 3 if the figure is less than MIN or has no value: joint=0.75,
    acceptable.underspecified=0.6. May be given several times."""
    fail_over: Several = ()
    """`FIGURE=MAX`: exit with 3 if the figure is greater than MAX or has no value:
    over_refusal=0.1. May be given several times."""
    lower_end: bool = False
    """Compare --fail-under with the lower end of the 95 % interval, --fail-over with the upper."""
    min_coverage: float = DEFAULT_COVERAGE
    """Least share of the queries that a figure of the gate is computed over."""
    junit: Path | None = None
    """Write the result of the gate to this file, as JUnit XML."""
