"""Load both splits with BEIR; the rest is in the file that its loader takes the questions from."""

import json
import sys
from pathlib import Path

from beir.datasets.data_loader import GenericDataLoader

rows = []
known = {}
for line in (Path(sys.argv[1]) / "queries.jsonl").read_text(encoding="utf-8").split("\n")[:-1]:
    value = json.loads(line)
    known[value["_id"]] = value["metadata"]
for split, score in (("test", 1), ("unanswerable", 0)):
    corpus, queries, qrels = GenericDataLoader(sys.argv[1]).load(split)
    for name, question in queries.items():
        assert qrels[name].keys() <= corpus.keys()
        assert set(qrels[name].values()) == {score}
        facts = known[name]
        rows.append(
            {
                "id": name,
                "question": question,
                "category": facts["category"] or "answerable",
                "reason": facts["reason"],
                "reference": facts["reference_answer"],
                "expected_behaviour": facts["expected_behaviour"],
                "rubric": facts["rubric"],
            }
        )
print(json.dumps(rows))
