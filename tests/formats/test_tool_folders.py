"""Folders for other tools: their files parse, and hold the reason and rubric of each row."""

import ast
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.formats.runs import dataset, make_run, nasty, pair

from uaeval.categories.names import BUILT_IN
from uaeval.categories.registry import category
from uaeval.formats.format import export, formats, read_queries
from uaeval.formats.query_fields import facts, rubric
from uaeval.formats.tools import ENVIRONMENT, promptfoo_text
from uaeval.records import Query

TOOLS = {
    "inspect": ("inspect_tasks.py", "inspect eval inspect_tasks.py"),
    "deepeval": ("test_uaeval.py", "deepeval test run test_uaeval.py"),
    "ragas": ("run_ragas.py", "python run_ragas.py"),
    "langsmith": ("run_langsmith.py", "python run_langsmith.py"),
    "trulens": ("run_trulens.py", "python run_trulens.py"),
    "ragchecker": ("run_ragchecker.py", "python run_ragchecker.py"),
    "openai-evals": ("uaeval_eval.py", "PYTHONPATH=. oaieval system uaeval"),
    "autorag": ("run_autorag.py", "python run_autorag.py"),
    "promptfoo": ("promptfooconfig.yaml", "promptfoo eval"),
    "lm-eval": ("uaeval_group.yaml", "lm-eval run"),
}
"""By format: a file that runs, and the command of the README that runs it."""


def written(name: str, folder: Path, queries: tuple[Query, ...] | None = None) -> Path:
    place = folder / name
    run = make_run(folder / f"run-{name}", nasty() if queries is None else queries)
    export(dataset(run), formats()[name], place)
    return place


def rows(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    values = json.loads(text) if path.suffix == ".json" else map(json.loads, text.split("\n")[:-1])
    return list(values)


@pytest.mark.parametrize("name", TOOLS)
def test_the_files_parse_and_the_readme_names_the_command(name: str, tmp_path: Path) -> None:
    place = written(name, tmp_path)
    runs, command = TOOLS[name]
    assert (place / runs).is_file()
    for path in place.glob("*.py"):
        ast.parse(path.read_text(encoding="utf-8"))
    for path in place.glob("*.yaml"):
        assert yaml.load(path.read_text(encoding="utf-8"), _Functions)
    readme = (place / "README.md").read_text(encoding="utf-8")
    install, run = readme.split("```sh\n")[1].split("```")[0].strip().split("\n")
    assert "install" in install
    assert run.startswith(command)
    assert not [path for path in place.iterdir() if path.suffix == ".j2"]


class _Functions(yaml.SafeLoader):
    """Reads the harness's names of functions as text."""


_Functions.add_constructor("!function", lambda _loader, node: str(node.value))


@pytest.mark.parametrize("name", TOOLS)
def test_the_python_files_pass_the_linter(name: str, tmp_path: Path) -> None:
    place = written(name, tmp_path)
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--line-length=100"]
    done = subprocess.run(
        [*command, "--select=E,F,W,B,D,SIM", "--ignore=D203,D213,D103", place],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_each_row_gives_its_judge_the_rubric_with_the_reason(tmp_path: Path) -> None:
    inspect = rows(written("inspect", tmp_path) / "inspect.jsonl")
    deepeval = rows(written("deepeval", tmp_path) / "deepeval.json")
    promptfoo = rows(written("promptfoo", tmp_path) / "tests.jsonl")
    ragas = rows(written("ragas", tmp_path) / "ragas.jsonl")
    for number, query in enumerate(nasty()):
        wanted = rubric(query)
        assert inspect[number]["target"] == (query.reference_answer or wanted)
        assert inspect[number]["metadata"]["rubric"] == wanted
        assert deepeval[number]["additional_metadata"]["rubric"] == wanted
        metric = "answerable" if query.answerable else "unanswerable"
        (assertion,) = promptfoo[number]["assert"]
        assert assertion == {
            "type": "llm-rubric",
            "metric": metric,
            "value": promptfoo_text(wanted),
        }
        scale = ragas[number]["rubrics"]
        assert list(scale) == [f"score{score}_description" for score in range(1, 6)]
        if query.category:
            acceptance = category(query.category).acceptance
            reason = str(query.reason)
            assert reason in wanted and acceptance in wanted
            assert reason in scale["score1_description"]
            assert scale["score5_description"] == f"Does this: {acceptance}"
        else:
            assert f"“{query.reference_answer}”." in scale["score5_description"]
            assert f"“{query.reference_answer}”." in wanted


@pytest.mark.parametrize("name", ["inspect", "deepeval", "ragas", "langsmith"])
def test_the_data_file_is_read_like_its_folder(name: str, tmp_path: Path) -> None:
    place = written(name, tmp_path)
    (data,) = [path for path in place.iterdir() if path.suffix in {".json", ".jsonl"}]
    assert read_queries(data) == read_queries(place)
    assert len(read_queries(data)) == len(nasty())


def test_a_row_without_a_reference_answer_is_not_compared_with_one(tmp_path: Path) -> None:
    query, twin = pair("q", "nonsensical", "Why {so}?")
    twin = replace(twin, reference_answer=None)
    assert "None" not in rubric(twin)
    assert "Accept a response that answers it." in rubric(twin)
    sample = rows(written("ragas", tmp_path, (query, twin)) / "ragas.jsonl")[1]
    assert sample["reference"] is None
    assert sample["rubrics"]["score5_description"] == "Answers the question."
    golden = rows(written("deepeval", tmp_path, (query, twin)) / "deepeval.json")[1]
    assert golden["expected_output"] is None
    (target,) = [
        row["target"]
        for row in rows(written("inspect", tmp_path, (query, twin)) / "inspect.jsonl")
        if row["id"] == twin.id
    ]
    assert target == rubric(twin)


def test_the_groups_of_the_harness_reward_one_metric_on_both_kinds(tmp_path: Path) -> None:
    place = written("lm-eval", tmp_path)
    tasks = [yaml.load(path.read_text(), _Functions) for path in sorted(place.glob("*.yaml"))]
    groups = {task["group"]: task for task in tasks if "group" in task}
    assert groups["uaeval"]["task"] == ["uaeval_unanswerable", "uaeval_answerable"]
    tags = {task["task"]: task["tag"] for task in tasks if "group" not in task}
    assert tags == {
        **{f"uaeval_{name}": "uaeval_unanswerable_tasks" for name in BUILT_IN},
        "uaeval_answerable": "uaeval_answerable_tasks",
    }
    for task in tasks:
        listed = task["aggregate_metric_list" if "group" in task else "metric_list"]
        assert listed[0]["metric"] == "acceptable"


@pytest.mark.parametrize(
    ("response", "unanswerable", "answerable"),
    [
        ("", 0.0, 0.0),
        ("I'm sorry, I cannot answer that.", 1.0, 0.0),
        ("It costs £3.", 0.0, 1.0),
        ("It costs £99.", 0.0, 0.0),
        ("I cannot say, perhaps £3.", 1.0, 0.0),
    ],
)
def test_the_words_of_the_harness(response: str, unanswerable: float, answerable: float) -> None:
    names: dict[str, Any] = {"__file__": __file__}
    exec(ENVIRONMENT.get_template("lm-eval/utils.py.j2").render(), names)
    query, twin = pair("q", "nonsensical", "Why?", 3)
    scored = {
        kind: names["score"]({**facts(each), "target": each.reference_answer}, [response])
        for kind, each in (("unanswerable", query), ("answerable", twin))
    }
    assert scored["unanswerable"] == {"acceptable": unanswerable}
    assert scored["answerable"]["acceptable"] == answerable


def test_nothing_but_texts_in_brackets_reaches_ragchecker(tmp_path: Path) -> None:
    tree = ast.parse((written("ragchecker", tmp_path) / "run_ragchecker.py").read_text("utf-8"))
    names: dict[str, Any] = {"ast": ast}
    parts = [part for part in tree.body if getattr(part, "name", "") == "without_code"]
    exec(compile(ast.Module(parts, []), "run_ragchecker.py", "exec"), names)
    said = """### Claims
1. ("the gate", "opens at", "noon (sharp)")
("a", "b", open("stolen"))
("(\\"a\\", \\"b\\", quit())")
("a", "b", 3) Entailment
("""
    kept = "### Claims\n('the gate', 'opens at', 'noon [sharp]')"
    assert names["without_code"](said) == kept
