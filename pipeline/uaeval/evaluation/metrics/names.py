"""The names of the metrics on demand, built-in and of plugins, without importing them."""

from importlib.metadata import EntryPoint
from typing import Final

from uaeval.plugins import installed

METRICS: Final = "uaeval.metrics"
BUILT_IN: Final = tuple(
    EntryPoint(name, f"uaeval.evaluation.metrics.{name}:METRIC", METRICS)
    for name in ("attribution", "final_score", "quest_eval")
)


def metric_names() -> tuple[str, ...]:
    """Return the names that `--metrics` accepts, the built-in ones first."""
    of_plugins = dict.fromkeys(entry.name for entry in installed(METRICS))
    return (*(entry.name for entry in BUILT_IN), *of_plugins)


def known_metric(name: str) -> str:
    """Return `name`; raise `ValueError` if no metric on demand has it."""
    if name not in metric_names():
        raise ValueError(f"unknown metric {name!r}; choose from {', '.join(metric_names())}")
    return name
