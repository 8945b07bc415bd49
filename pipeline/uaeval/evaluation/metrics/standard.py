"""The metrics of every evaluation, in the order of the reports."""

from typing import Final

from pydantic import TypeAdapter

from uaeval.evaluation.metrics.spec import Composite, Ratio, declared

_KIND: Final[TypeAdapter[Ratio | Composite]] = TypeAdapter(Ratio | Composite)
STANDARD: Final = declared(__file__, _KIND)
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
