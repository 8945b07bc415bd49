"""Load with DeepEval; print what came through."""

import json
import sys

from deepeval.dataset import EvaluationDataset

dataset = EvaluationDataset()
dataset.add_goldens_from_json_file(sys.argv[1])
print(
    json.dumps(
        [
            {
                "id": one.name,
                "question": one.input,
                "category": one.additional_metadata["category"] or "answerable",
                "reason": one.comments,
                "reference": one.expected_output,
                "expected_behaviour": one.additional_metadata["expected_behaviour"],
                "rubric": one.additional_metadata["rubric"],
            }
            for one in dataset.goldens
        ]
    )
)
