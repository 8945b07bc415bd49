"""A judge that cannot tell: a reply of its own, neither a label nor a failed call."""

from dataclasses import dataclass
from typing import Final

from uaeval.types import Metric

UNDECIDED_LABEL: Final = "undecided"
"""How a judge replies so; it becomes a record, never the label of a judgement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided:
    """A judge's reply that it cannot label a response. No label, and no failed call."""

    id: str
    """`<query id>/<metric>`, as of a judgement."""
    query_id: str
    judge: str
    metric: Metric
    rationale: str
