"""Load the tasks with the LM Evaluation Harness, render and score; print what came through."""

import json
import sys

from lm_eval.tasks import TaskManager

tasks = TaskManager(include_path=sys.argv[1], include_defaults=False).load(["uaeval"])["tasks"]
rows = []
for name, task in tasks.items():
    for doc in task.test_docs():
        kind = doc["category"] or "answerable"
        assert name == f"uaeval_{kind}"
        assert task.doc_to_text(doc) == doc["question"]
        empty = task.process_results(doc, [""])
        declined = task.process_results(doc, ["Sorry, I cannot answer that."])
        if kind == "answerable":
            assert empty == {"token_f1": 0.0, "acceptable": 0.0}
            assert declined["acceptable"] == 0.0
            right = {"token_f1": 1.0, "acceptable": 1.0}
            assert task.process_results(doc, [doc["target"]]) == right
            assert task.process_results(doc, ["An invention."])["acceptable"] == 0.0
        else:
            assert empty == {"acceptable": 0.0}
            assert declined == {"acceptable": 1.0}
        rows.append(
            {
                "id": doc["id"],
                "question": doc["question"],
                "category": kind,
                "reason": doc["reason"],
                "reference": doc["target"] if doc["answerable"] else None,
                "expected_behaviour": doc["expected_behaviour"],
                "rubric": doc["rubric"],
            }
        )
print(json.dumps(rows))
