"""Evaluate a LangChain runnable: retrieval by words, then an answer, all offline.

    python examples/evaluate_langchain.py DATASET

Replace `chain` by your own chain, graph or agent. Its result may be a text, a message, or a
mapping with `answer` and `context`.
"""

import json
import sys
from pathlib import Path

from langchain_core.runnables import Runnable, RunnableLambda

import uaeval
from uaeval.evaluation.evaluation import Evaluation


def chain(dataset: str | Path) -> Runnable[dict[str, str], dict[str, object]]:
    """Return a runnable that takes `{"input": question}`."""
    with (Path(dataset) / "chunks.jsonl").open(encoding="utf-8") as file:
        passages = [json.loads(line)["text"] for line in file]

    def retrieve(given: dict[str, str]) -> list[str]:
        words = set(given["input"].lower().split())
        shared = {text: len(words & set(text.lower().split())) for text in passages}
        return sorted(shared, key=lambda text: -shared[text])[:3]

    def respond(context: list[str]) -> dict[str, object]:
        return {"answer": context[0].split(". ")[0] + ".", "context": context}

    return RunnableLambda(retrieve) | RunnableLambda(respond)


def main(dataset: str | Path) -> Evaluation:
    evaluation = uaeval.evaluate(
        dataset, system=chain(dataset), name="langchain", body={"input": "{question}"}
    )
    for response in evaluation.responses[:3]:
        print(f"{response.query_id}: {response.text}")
    joint = next(score for score in evaluation.scores if score.metric == "joint_score")
    print(f"joint score {joint.value}, {joint.judged} of {joint.n} judged")
    return evaluation


if __name__ == "__main__":
    main(sys.argv[1])
