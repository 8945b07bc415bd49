"""Load with Ragas; print what came through."""

import json
import sys

from ragas import EvaluationDataset

samples = EvaluationDataset.from_jsonl(sys.argv[1]).samples
print(
    json.dumps(
        [
            {
                "id": one.rubrics["id"],
                "question": one.user_input,
                "category": one.query_style,
                "reason": one.rubrics.get("reason"),
                "reference": one.reference,
                "expected_behaviour": one.rubrics["expected_behaviour"],
                "rubric": one.rubrics["rubric"],
            }
            for one in samples
        ]
    )
)
