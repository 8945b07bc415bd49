"""The metrics of every evaluation, in the order of the reports."""

from pathlib import Path
from typing import Final

import yaml
from pydantic import TypeAdapter

from uaeval.categories.registry import categories
from uaeval.evaluation.metrics.spec import Composite, Ratio


def _declared() -> tuple[Ratio | Composite, ...]:
    """Read the declarations; a metric about a kind of category is shown for the first of them."""
    path = Path(__file__).with_suffix(".yaml")
    declared = yaml.safe_load(path.read_text(encoding="utf-8"))
    for fields in declared:
        if flag := fields.pop("category", None):
            fields["group"] = next(spec.name for spec in categories() if getattr(spec, flag))
    return TypeAdapter(tuple[Ratio | Composite, ...]).validate_python(declared)


STANDARD: Final = _declared()
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
"""The figures to look at first, the joint score before the others."""
JOINT: Final = _COMPOSITES["joint_score"]
JOINT_CURVE: Final = _COMPOSITES["joint_score_curve"]
