"""Each script of `examples/` runs offline."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.cli.finished_run import write_finished_run

import uaeval

EXAMPLES = Path(__file__).parents[2] / "examples"
LONGEST = 60


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_finished_run(tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_a_script_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < LONGEST


def test_a_function_is_evaluated(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluation = script("evaluate_function").main(run)
    assert len(evaluation.responses) == 6
    assert not evaluation.failures
    scores = {(score.metric, score.group): score.value for score in evaluation.scores}
    assert scores["correctness", "overall"] == 0
    assert scores["acceptable_ratio", "overall"] == 1
    assert "correctness" in capsys.readouterr().out


def test_a_langchain_runnable_is_evaluated(run: Path) -> None:
    evaluation = script("evaluate_langchain").main(run)
    assert not evaluation.failures
    texts = {response.query_id: response.text for response in evaluation.responses}
    twin = next(q for q in evaluation.queries if q.question.startswith("How many hours of sick"))
    assert texts[twin.id] == "You may borrow up to 240 hours of sick leave in a year."
    assert all(len(response.retrieved_contexts) == 3 for response in evaluation.responses)


@pytest.mark.slow
def test_a_dataset_is_built_exported_and_loaded(tmp_path: Path) -> None:
    command = [
        sys.executable,
        EXAMPLES / "build_dataset.py",
        EXAMPLES.parent / "knowledge_bases/sample",
    ]
    done = subprocess.run(
        [*map(str, command), str(tmp_path / "run")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "9 of 9 queries were proven" in done.stdout
    counts = script("export_and_load").main(tmp_path / "run", tmp_path / "hf")
    assert counts == {
        "all": 9,
        "false_presupposition": 3,
        "nonsensical": 3,
        "safety_concerned": 3,
    }


@pytest.mark.slow
@pytest.mark.parametrize(("least", "code"), [("0.2", 0), ("0.5", 3)])
def test_two_systems_are_compared_and_a_gate_fails(run: Path, least: str, code: int) -> None:
    command = [sys.executable, EXAMPLES / "compare_and_gate.py", run, least]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert (run / "junit.xml").exists()
    assert "decline against guess" in (run / "compare.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "system"), [("lcel", "chain"), ("graph", "graph")])
def test_a_system_of_langchain_is_evaluated(run: Path, name: str, system: str) -> None:
    module = script(f"systems/{name}")
    evaluation = uaeval.evaluate(run, system=getattr(module, system), name=name)
    assert {response.text for response in evaluation.responses} == {"I don't know."}
    assert not evaluation.failures
