"""The pytest plugin, in a pytest of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

QUERIES = (
    {"id": "lost", "question": "Who sank it?", "category": "false_presupposition"},
    {"id": "fare", "question": "What does the ferry cost?", "reference_answer": "£5"},
)
SUITE = """
import pytest

@pytest.fixture(scope="session")
def uaeval_system():
    return lambda question: "It costs £5." if "cost" in question else "I do not know."

def test_query(uaeval_query):
    assert uaeval_query.good, str(uaeval_query)

def test_figure(uaeval_figure):
    assert uaeval_figure.passed, uaeval_figure.message
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    lines = "".join(json.dumps(query) + "\n" for query in QUERIES)
    (tmp_path / "queries.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "test_rag.py").write_text(SUITE, encoding="utf-8")
    return tmp_path


def run(project: Path, *options: str, **settings: str) -> subprocess.CompletedProcess[str]:
    lines = "".join(f"{name} = {value}\n" for name, value in settings.items())
    (project / "pytest.ini").write_text(f"[pytest]\n{lines}", encoding="utf-8")
    without = ["-p", "no:cacheprovider", "-p", "no:langsmith_plugin"]  # which loads for seconds
    command = [sys.executable, "-m", "pytest", "-v", *without, *options]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


def test_each_query_and_each_figure_is_a_test(project: Path) -> None:
    limits = {"uaeval_fail_under": "correctness=1", "uaeval_fail_over": "over_refusal=0"}
    done = run(project, uaeval_dataset="queries.jsonl", **limits)
    assert done.returncode == 0, done.stdout
    names = ("query[lost]", "query[fare]", "figure[correctness=1]", "figure[over_refusal=0]")
    assert all(f"test_{name} PASSED" in done.stdout for name in names)


def test_a_bad_response_fails_its_test_and_the_message_quotes_it(project: Path) -> None:
    limit = {"uaeval_fail_under": "acceptable=0.5"}
    assert run(project, "--uaeval-dataset", "queries.jsonl", **limit).returncode == 0
    (project / "test_rag.py").write_text(SUITE.replace("I do not know", "The pirates did"))
    done = run(project, "--uaeval-dataset", "queries.jsonl", **limit)
    assert done.returncode == 1
    assert "lost: Who sank it?" in done.stdout
    assert "→ The pirates did." in done.stdout
    assert "acceptable_ratio macro" in done.stdout or "acceptable_ratio: " in done.stdout


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({}, "set uaeval_dataset in the pytest configuration"),
        ({"uaeval_dataset": "absent.jsonl"}, "uaeval_dataset: no such file"),
        ({"uaeval_dataset": "queries.jsonl"}, "give at least one FIGURE=BOUND"),
    ],
)
def test_what_is_missing_is_named(project: Path, settings: dict[str, str], problem: str) -> None:
    done = run(project, **settings)
    assert done.returncode != 0
    assert problem in done.stdout + done.stderr
