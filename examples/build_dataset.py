"""Write a dataset from a knowledge base, and print one query of each category.

    python examples/build_dataset.py [KNOWLEDGE_BASE] [OUTPUT]

Runs offline on the sample. Add `model="openai:gpt-4.1-mini"` to have a language model write.
"""

import json
import sys
from pathlib import Path

import uaeval

SAMPLE = Path(__file__).parents[1] / "knowledge_bases" / "sample"


def main(knowledge_base: str | Path = SAMPLE, output: str | Path = "outputs/example") -> None:
    dataset = uaeval.synthesize(
        knowledge_base,
        output,
        size=9,
        categories="false_presupposition,nonsensical,safety_concerned",
        seed=1,
    )
    manifest = dataset.manifest
    selected, asked = sum(manifest.selected.values()), sum(manifest.asked.values())
    print(f"{selected} of {asked} queries were proven")

    with (Path(output) / "queries.jsonl").open(encoding="utf-8") as file:
        queries = [json.loads(line) for line in file]
    twins = {query["id"]: query for query in queries if query["category"] is None}
    shown = set[str]()
    for query in queries:
        if query["category"] is None or query["category"] in shown:
            continue
        shown.add(query["category"])
        twin = twins[query["pair_id"]]
        print(f"\n{query['category']}")
        print(f"  query   {query['question']}")
        print(f"  reason  {query['reason']}")
        print(f"  twin    {twin['question']}")
        print(f"  answer  {twin['reference_answer']}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
