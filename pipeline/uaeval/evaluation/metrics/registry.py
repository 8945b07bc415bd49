"""All metrics: those of every evaluation, and those on demand, built-in and of plugins."""

import re
from collections.abc import Mapping
from typing import Any, Final

from uaeval.config import RESPONSES
from uaeval.errors import ConfigError
from uaeval.evaluation.metrics.judged import JudgedMetric
from uaeval.evaluation.metrics.names import BUILT_IN, METRICS
from uaeval.evaluation.metrics.ratios import Composite, Ratio
from uaeval.evaluation.metrics.spec import Family, MetricSpec, declared
from uaeval.plugins import refused, registry

STANDARD: Final[tuple[Ratio | Composite, ...]] = declared("standard", Ratio, Composite)
_RATIOS: Final = {metric.name: metric for metric in STANDARD if isinstance(metric, Ratio)}
_COMPOSITES: Final = {metric.name: metric for metric in STANDARD if isinstance(metric, Composite)}

ACCEPTABLE: Final = _RATIOS["acceptable_ratio"]
BLOCKED: Final = _RATIOS["blocked_ratio"]
CLARIFICATION: Final = _RATIOS["clarification_ratio"]
CORRECTNESS: Final = _RATIOS["correctness"]
OVER_REFUSAL: Final = _RATIOS["over_refusal_rate"]
RECALL: Final = _RATIOS["refusal_recall"]
UNANSWERED: Final = _RATIOS["unanswered_ratio"]
HEADLINE: Final = tuple(metric for metric in STANDARD if metric.headline)
"""The most important figures, the joint score first."""
JOINT: Final = _COMPOSITES["joint_score"]
JOINT_CURVE: Final = _COMPOSITES["joint_score_curve"]


def judged_metrics() -> Mapping[str, JudgedMetric[Any]]:
    """Return the metrics on demand by name; raise `ConfigError` for an unusable plugin."""
    built_in = (entry.load() for entry in BUILT_IN)
    metrics: Mapping[str, JudgedMetric[Any]] = registry(METRICS, JudgedMetric, built_in)
    taken = {name for metric in STANDARD for name in (metric.name, metric.gate)}
    files = {RESPONSES, "judgements.jsonl", "asked.jsonl", "sampled.jsonl"}
    for name, metric in metrics.items():
        names = {spec.name for spec in metric.metrics}
        labels = names | {spec.gate for spec in metric.metrics if spec.gate}
        if not all(re.fullmatch(r"[a-z][a-z0-9_]*", label) for label in (name, *labels)):
            problem = f"and its metrics {sorted(labels)} should have names like `polite_tone`"
            raise refused(METRICS, name, problem)
        if labels & taken:
            raise refused(METRICS, name, "has a metric that exists already; rename it")
        if metric.file in files or not re.fullmatch(r"[a-z0-9_]+\.jsonl", metric.file):
            raise refused(METRICS, name, f"cannot write its records to {metric.file!r}; rename it")
        taken |= labels
        files.add(metric.file)
    return metrics


def all_metrics() -> tuple[MetricSpec, ...]:
    """Return all metrics, in the order of the reports."""
    return (*STANDARD, *(spec for metric in judged_metrics().values() for spec in metric.metrics))


def of_family(*families: Family) -> tuple[MetricSpec, ...]:
    """Return the metrics of these families."""
    return tuple(metric for metric in all_metrics() if metric.family in families)


def metric_named(name: str) -> MetricSpec:
    """Return the metric of this name; one with only a name if its plugin is not installed."""
    known = (metric for metric in all_metrics() if metric.name == name)
    return next(known, MetricSpec(name=name, definition=""))


def check_judge(names: tuple[str, ...], answered: frozenset[str]) -> None:
    """Raise `ConfigError` if a chosen metric has a prompt that is not in `answered`."""
    for name in names:
        if missing := sorted(set(judged_metrics()[name].prompts) - answered):
            raise ConfigError(
                f"metrics: {name} asks {', '.join(missing)}, which the `offline` judge cannot "
                "answer; name a model as --judge"
            )
