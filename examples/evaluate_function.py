"""Evaluate a Python function on a dataset, and print its scores.

    python examples/evaluate_function.py DATASET

DATASET is the folder of a run, such as the one that `build_dataset.py` writes.
"""

import sys
from pathlib import Path

import uaeval
from uaeval.evaluation.evaluation import Evaluation

HEADLINES = ("joint_score", "correctness", "acceptable_ratio", "over_refusal_rate")


def answer(question: str) -> dict[str, object]:
    """Return an answer and the passages that it rests on. Replace this by your own system."""
    if "why" in question.lower():
        return {"answer": "I cannot confirm that. The documents do not say so.", "contexts": []}
    return {"answer": "I do not have that information.", "contexts": []}


def main(dataset: str | Path) -> Evaluation:
    evaluation = uaeval.evaluate(dataset, system=answer, name="function")
    for score in evaluation.scores:
        if score.metric in HEADLINES and score.value is not None:
            interval = f"{score.low:.2f} to {score.high:.2f}" if score.low is not None else "none"
            print(f"{score.metric:20} {score.group:22} {score.value:.2f}  interval {interval}")
    print(f"{len(evaluation.failures)} calls failed; the report is {evaluation.folder}/report.md")
    return evaluation


if __name__ == "__main__":
    main(sys.argv[1])
