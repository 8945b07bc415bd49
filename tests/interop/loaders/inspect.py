"""Load with Inspect; print what came through."""

import json
import sys

from inspect_ai.dataset import json_dataset

print(
    json.dumps(
        [
            {
                "id": one.id,
                "question": one.input,
                "category": one.metadata["category"] or "answerable",
                "reason": one.metadata["reason"],
                "reference": one.target if one.metadata["answerable"] else None,
                "expected_behaviour": one.metadata["expected_behaviour"],
                "rubric": one.metadata["rubric"],
            }
            for one in json_dataset(sys.argv[1])
        ]
    )
)
