"""Settings of the gate: what the scores of an evaluation are held to."""

from pathlib import Path
from typing import Final

from uaeval.config.settings import Settings, Several

DEFAULT_COVERAGE: Final = 0.95


class GateSettings(Settings):
    """What the scores are held to."""

    fail_under: Several = ()
    """Exit with 3 if a figure lies under its bound or has no value: joint=0.75,
    acceptable.underspecified=0.6. May be given several times."""
    fail_over: Several = ()
    """The same for what is better the lower it is: over_refusal=0.1."""
    lower_end: bool = False
    """Hold the lower end of the 95 % interval to --fail-under, the upper end to --fail-over."""
    min_coverage: float = DEFAULT_COVERAGE
    """Share of the queries that a figure of the gate must rest on."""
    junit: Path | None = None
    """Write what the gate found to this file, as JUnit XML."""
