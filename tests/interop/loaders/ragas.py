"""Load with Ragas; print what came through, beside the metadata that it drops."""

import json
import sys
from pathlib import Path

from ragas import EvaluationDataset

samples = EvaluationDataset.from_jsonl(sys.argv[1]).samples
lines = Path(sys.argv[1]).read_text(encoding="utf-8").split("\n")[:-1]
rows = []
for sample, line in zip(samples, lines, strict=True):
    known = json.loads(line)["metadata"]
    assert set(sample.rubrics) == {f"score{number}_description" for number in range(1, 6)}
    assert known["answerable"] or known["reason"] in sample.rubrics["score1_description"]
    rows.append(
        {
            "id": known["id"],
            "question": sample.user_input,
            "category": sample.query_style,
            "reason": known["reason"],
            "reference": sample.reference,
            "expected_behaviour": known["expected_behaviour"],
            "rubric": known["rubric"],
        }
    )
print(json.dumps(rows))
