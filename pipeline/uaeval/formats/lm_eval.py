"""LM Evaluation Harness: a task folder for `--include_path`, one task a category."""

from pathlib import Path

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import expected_behaviour, facts, kind
from uaeval.formats.format import Format
from uaeval.formats.output import lines_of, text_file
from uaeval.formats.tool_folder import ENVIRONMENT, tool_folder
from uaeval.records import Query


def write(dataset: Dataset, place: Path) -> None:
    """Write the folder; the harness has no judge, so its tasks score English words."""
    kinds = set[str]()

    def row(query: Query, dataset: Dataset) -> dict[str, object]:
        kinds.add(kind(query))
        target = query.reference_answer or expected_behaviour(query)
        return {"question": query.question, "target": target, **facts(query)}

    tool_folder("lm_eval", "queries.jsonl", lines_of(row))(dataset, place)
    task = ENVIRONMENT.get_template("lm_eval_task.yaml.j2")
    for name in sorted(kinds):
        with text_file(place / f"uaeval_{name}.yaml") as file:
            file.write(task.render(kind=name))


FORMAT = Format(
    name="lm-eval",
    purpose="LM Evaluation Harness: task folder for `--include_path`, group `uaeval`",
    loses=(
        "evidence, checks and passages. The harness has no judge: scored are English words of "
        "declining and the words of the reference, no acceptability"
    ),
    write=write,
    folder=True,
)
