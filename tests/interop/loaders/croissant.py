"""Load the Parquet files of an `hf` export by their Croissant metadata."""

import json
import sys
from pathlib import Path

import mlcroissant

NAMES = {"reference": "reference_answer"}
KEPT = ("id", "question", "category", "reason", "reference", "expected_behaviour", "rubric")

dataset = mlcroissant.Dataset(jsonld=Path(sys.argv[1]) / "croissant.json")
assert not dataset.metadata.ctx.issues.errors, dataset.metadata.ctx.issues.errors
rows = []
for record_set in dataset.metadata.record_sets:
    for record in dataset.records(record_set.uuid):
        cells = {name.partition("/")[2]: value for name, value in record.items()}
        row = {name: cells[NAMES.get(name, name)] for name in KEPT}
        texts = {name: value and value.decode() for name, value in row.items()}
        rows.append(texts | {"category": texts["category"] or "answerable"})
print(json.dumps(rows))
