"""Train the classifier of the offline judge on labelled responses, and print how it does.

    python scripts/train_judge.py FILE.jsonl ... [--write]

Takes chatgpt-refusals, XSTest and MTRAG-UN files, recognised by their labels. The scores are of
five-fold cross-validation with the answers to one question in one fold; `--write` then trains on
all rows and writes `weights.json`. FinanceBench is not for training: its licence forbids it.
"""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from uaeval.offline.judge import classifier
from uaeval.offline.judge.reading import read

DECLINES = {
    "rejected": True, "dontknow": True, "contradicted": True, "complied": False,
    "full_refusal": True, "partial_refusal": True, "full_compliance": False,
    "refusal": True, "answer": False,
}  # fmt: skip
RARE = 10
"""Rows in which a feature must stand."""
WORDS = 3.0
"""Weight of words beside kinds of sentences."""
STRENGTH = 0.3
"""Inverse of the regularisation."""

Weights = dict[str, float]


def main(files: list[Path], write: Annotated[bool, typer.Option()] = False) -> None:
    """Print cross-validated accuracy by file, and write the weights if asked to."""
    rows = [
        (path.stem, row)
        for path in files
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())
        if row["label"] in DECLINES
    ]
    seen = [classifier.features(read(row["response"])) for _, row in rows]
    labels = np.array([DECLINES[row["label"]] for _, row in rows])
    questions = [row["question"] for _, row in rows]
    right = np.zeros(len(rows), dtype=bool)
    for train, test in GroupKFold(5).split(seen, labels, questions):
        weights = fit([seen[at] for at in train], labels[train])
        right[test] = [(logit(weights, seen[at]) > 0) == labels[at] for at in test]
    for name in sorted({name for name, _ in rows}):
        of = np.array([source == name for source, _ in rows])
        typer.echo(f"{name}: n={of.sum()} accuracy={right[of].mean():.3f}")
    if write:
        target = Path(classifier.__file__).with_name("weights.json")
        weights = {name: round(value, 3) for name, value in fit(seen, labels).items()}
        kept = {name: value for name, value in sorted(weights.items()) if value}
        target.write_text(json.dumps(kept, ensure_ascii=False) + "\n", encoding="utf-8")
        typer.echo(f"{len(kept)} weights in {target}")


def fit(seen: Sequence[Weights], labels: Any) -> Weights:
    """Return a weight for each feature; the one without a name is the intercept."""
    counts = Counter(name for features in seen for name in features)
    kept = [
        {name: value * _scale(name) for name, value in features.items() if counts[name] >= RARE}
        for features in seen
    ]
    vectorizer = DictVectorizer()
    model = LogisticRegression(C=STRENGTH, max_iter=2000)
    model.fit(vectorizer.fit_transform(kept), labels)
    names = vectorizer.get_feature_names_out()
    weights = {
        name: float(weight) * _scale(name)
        for name, weight in zip(names, model.coef_[0], strict=True)
    }
    return weights | {"": float(model.intercept_[0])}


def logit(weights: Weights, features: Weights) -> float:
    """Return the log odds that a response declines."""
    return weights[""] + sum(weights.get(name, 0.0) * value for name, value in features.items())


def _scale(name: str) -> float:
    return WORDS if name.endswith(("@first", "@last")) else 1.0


if __name__ == "__main__":
    typer.run(main)
