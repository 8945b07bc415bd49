"""Responses to queries over the sample knowledge base, labelled by hand.

`verdicts.jsonl` was written and labelled from the sample's documents and the definitions of the
three verdicts alone, before its writer had seen the rules; the rules were improved with it in view
afterwards. `responses.jsonl` covers good, bad and borderline responses of every category, with
acceptability by the category's rule, and some controls with correctness.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.evaluation.records import control, response, unanswerable

from uaeval.records import Metric, Query, Response

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One response with its human labels, by metric."""

    query: Query
    response: Response
    labels: dict[Metric, str]
    strict: str | None
    """Acceptability under the strict policy, of underspecified queries."""
    kind: str

    def label(self, metric: Metric, policy: str = "lenient") -> str:
        """Return the label of one metric."""
        if metric is Metric.ACCEPTABLE and policy == "strict" and self.strict:
            return self.strict
        return self.labels[metric]


def read_labelled(name: str) -> tuple[Labelled, ...]:
    """Read a file of this folder."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return tuple(_labelled(number, json.loads(line)) for number, line in enumerate(lines, 1))


def _labelled(number: int, row: dict[str, Any]) -> Labelled:
    named = row["category"]
    if named in (None, "answerable"):
        query = control(number, question=row["question"], reference=row.get("reference_answer"))
    else:
        query = unanswerable(number, named, question=row["question"])
    query = replace(query, id=row["id"], reason=row.get("reason"))
    return Labelled(
        query=query,
        response=response(query, row["response"]),
        labels={metric: row[metric] for metric in Metric if metric in row},
        strict=row.get("acceptable_strict"),
        kind=row.get("kind", named),
    )
