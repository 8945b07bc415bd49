"""The names of the metrics on demand, ours and those of installed packages; nothing is loaded."""

from importlib.metadata import EntryPoint
from typing import Final

from uaeval.plugins import installed

METRICS: Final = "uaeval.metrics"
BUILT_IN: Final = tuple(
    EntryPoint(name, f"uaeval.evaluation.metrics.{name}:METRIC", METRICS)
    for name in ("attribution", "final_score", "quest_eval")
)
"""The metrics on demand of this package."""


def metric_names() -> tuple[str, ...]:
    """Return the names that `--metrics` takes, ours first."""
    others = dict.fromkeys(entry.name for entry in installed(METRICS))
    return (*(entry.name for entry in BUILT_IN), *others)


def known_metric(name: str) -> str:
    """Return the name; raise `ValueError` if there is no such metric."""
    if name not in metric_names():
        raise ValueError(f"unknown metric {name!r}; choose from {', '.join(metric_names())}")
    return name
