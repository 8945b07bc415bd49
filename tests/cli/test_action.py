"""The shell steps of the GitHub Action, run by bash on a finished run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.cli.finished_run import write_finished_run
from tests.servers.rag_server import RagServer, Sent

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def step(name: str, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run a step with these inputs; `gh` writes what it is asked to send to `gh.txt`."""
    (script,) = [each for each in ACTION["runs"]["steps"] if each.get("name") == name]
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    for program, line in {
        "uaeval": f'exec "{sys.executable}" -m uaeval "$@"',
        "gh": 'echo "$@" > gh.txt; cat "${@: -3:1}" >> gh.txt',
    }.items():
        (programs / program).write_text(f"#!/bin/bash\n{line}\n")
        (programs / program).chmod(0o755)
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script["run"]],
        cwd=folder,
        env={
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "pipeline"),
            **{name: str(folder / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")},
            "RUNNER_TEMP": str(folder),
            **{"NAME": "ci", "BASELINE": "", "OPTIONS": "", "SYSTEM": "http"},
            **inputs,
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_finished_run(tmp_path / "run")
    return tmp_path


def refuse(_: object) -> Sent:
    return Sent(body={"answer": "I do not have that information."})


@pytest.mark.slow
def test_the_report_is_in_the_summary_and_a_gate_fails_the_job(folder: Path) -> None:
    with RagServer(refuse) as server:
        options = f"--url {server.url} --fail-under 'correctness=0.5'"
        done = step("Evaluate", folder, DATASET="run", OPTIONS=options)
    assert done.returncode == 3, done.stderr
    report = (folder / "run/evaluations/ci/report.md").read_text(encoding="utf-8")
    assert (folder / "GITHUB_STEP_SUMMARY").read_text(encoding="utf-8") == report
    assert (folder / "GITHUB_OUTPUT").read_text() == "evaluation=run/evaluations/ci\n"


@pytest.mark.slow
def test_a_baseline_is_compared_with_and_the_comment_sent(folder: Path) -> None:
    with RagServer(refuse) as server:
        options = f"--url {server.url}"
        assert step("Evaluate", folder, DATASET="run", OPTIONS=options).returncode == 0
        inputs = {"NAME": "new", "BASELINE": "run/evaluations/ci", "OPTIONS": options}
        assert step("Evaluate", folder, DATASET="run", **inputs).returncode == 0
    sent = step("Comment on the pull request", folder, NUMBER="7", REPOSITORY="museum/rag")
    assert sent.returncode == 0, sent.stderr
    command, *comment = (folder / "gh.txt").read_text(encoding="utf-8").splitlines()
    assert command.startswith("pr comment 7 --repo museum/rag")
    assert comment[0].startswith("# ")
    assert "Comparison" in comment[0]
    assert any("acceptable" in line for line in comment)


def test_a_missing_dataset_fails_the_job_and_there_is_no_comment(folder: Path) -> None:
    assert step("Evaluate", folder, DATASET="none").returncode == 2
    assert step("Comment on the pull request", folder).returncode == 0
    assert not (folder / "gh.txt").exists()


def test_every_input_is_passed_by_the_environment() -> None:
    for each in ACTION["runs"]["steps"]:
        assert "${{" not in each.get("run", "")
