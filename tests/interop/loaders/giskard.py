"""Load with Giskard; print what came through, and that its report can group it."""

import json
import sys

from giskard.rag import QATestset

testset = QATestset.load(sys.argv[1])
assert testset.get_metadata_values("question_type")
assert testset.get_metadata_values("topic")
print(
    json.dumps(
        [
            {
                "id": one.metadata["id"],
                "question": one.question,
                "category": one.metadata["question_type"],
                "reason": one.metadata["reason"],
                "reference": one.reference_answer if one.metadata["answerable"] else None,
                "expected_behaviour": one.metadata["expected_behaviour"],
                "rubric": one.metadata["rubric"],
            }
            for one in testset.samples
            if isinstance(one.id, str)
        ]
    )
)
