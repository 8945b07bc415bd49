"""LM Evaluation Harness: a task folder for `--include_path`, one task a category."""

import re
from importlib.resources import files
from pathlib import Path

import yaml

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import ANSWERABLE, expected_behaviour, facts, kind
from uaeval.formats.format import Format
from uaeval.formats.output import text_file, write_lines
from uaeval.types import Query

GROUP = "uaeval"
METRICS = {ANSWERABLE: ("token_f1", "answered")}
"""Names of the metrics of each task; the others have `ABSTAINED`."""
ABSTAINED = ("abstained",)
_FUNCTION = "!function utils."


def write(dataset: Dataset, place: Path) -> None:
    """Write the folder; the harness has no judge, so its tasks score English words."""
    place.mkdir(parents=True)
    kinds = set[str]()

    def row(query: Query) -> dict[str, object]:
        kinds.add(kind(query))
        target = query.reference_answer or expected_behaviour(query)
        return {"question": query.question, "target": target, **facts(query)}

    write_lines(place / "queries.jsonl", (row(query) for query in dataset))
    utils = files("uaeval.formats").joinpath("lm_eval_utils.py").read_text(encoding="utf-8")
    with text_file(place / "utils.py") as file:
        file.write(utils)
    for name in sorted(kinds):
        _write_task(place, name)


def _write_task(place: Path, name: str) -> None:
    metrics = METRICS.get(name, ABSTAINED)
    task = {
        "task": f"{GROUP}_{name}",
        "tag": GROUP,
        "custom_dataset": f"{_FUNCTION}load",
        "dataset_kwargs": {"kind": name},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{question}}",
        "doc_to_target": "{{target}}",
        "generation_kwargs": {"until": [], "max_gen_toks": 512, "do_sample": False},
        "process_results": f"{_FUNCTION}score",
        "metric_list": [
            {"metric": metric, "aggregation": "mean", "higher_is_better": True}
            for metric in metrics
        ],
        "metadata": {"version": 1.0},
    }
    with text_file(place / f"{GROUP}_{name}.yaml") as file:
        text = yaml.safe_dump(task, sort_keys=False, allow_unicode=True)
        # The harness reads function names as tags, which stand without quotes.
        file.write(re.sub(rf"'({_FUNCTION}(?:load|score))'", r"\1", text))


FORMAT = Format(
    name="lm-eval",
    purpose="LM Evaluation Harness: task folder for `--include_path`, tag `uaeval`",
    loses=(
        "evidence, checks and passages. The harness has no judge: scored are English words of "
        "declining and the words of the reference, no acceptability"
    ),
    write=write,
    folder=True,
)
