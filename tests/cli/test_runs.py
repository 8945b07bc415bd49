"""Whole runs of the offline engine give the same bytes and do nothing twice."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.conftest import DOCUMENTS, Uaeval

from uaeval.run_folder import RunFolder

NEWS = DOCUMENTS.with_name("sample_news")
OPTIONS = ["--size", "12", "--news", str(NEWS)]


def _queries(run: Path) -> bytes:
    return (run / "queries.jsonl").read_bytes()


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for path in sorted(DOCUMENTS.glob("*.md"))[::3]:
        shutil.copy(path, folder)
    return folder


def test_a_finished_run_does_nothing_and_another_knowledge_base_is_refused(
    tmp_path: Path, uaeval: Uaeval, documents: Path
) -> None:
    run = tmp_path / "run"
    options = ["synthesize", documents, "-o", run, "--size", "4"]
    options += ["--categories", "false_presupposition,safety_concerned"]
    assert uaeval(*options).code == 0
    before = {path: path.stat().st_mtime_ns for path in run.rglob("*") if path.is_file()}
    assert uaeval(*options).code == 0
    assert before == {path: path.stat().st_mtime_ns for path in run.rglob("*") if path.is_file()}

    shutil.copy(DOCUMENTS / "parking.md", documents / "parking-again.md")
    refused = uaeval(*options)
    assert refused.code == 2
    assert "files have changed" in refused.err
    assert "--refresh" in refused.err
    assert uaeval(*options, "--refresh").code == 0
    assert b"parking-again.md#0" in (run / "chunks.jsonl").read_bytes()

    refused = uaeval(*options, "--seed", "7")
    assert refused.code == 2
    assert "seed was 0, is 7" in refused.err


@pytest.mark.slow
def test_concurrency_and_separately_built_indexes_change_no_byte(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    for name, concurrency in (("one", "1"), ("two", "64")):
        done = uaeval(
            "synthesize", DOCUMENTS, "-o", tmp_path / name, "--concurrency", concurrency, *OPTIONS
        )
        assert done.code == 0, done.err
    assert _queries(tmp_path / "one") == _queries(tmp_path / "two")
    # Two pairs in five categories; offline, underspecified gets as many as there are.
    assert _queries(tmp_path / "one").count(b"\n") >= 20


@pytest.mark.slow
def test_a_run_killed_at_any_moment_ends_with_the_same_bytes(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert uaeval("synthesize", DOCUMENTS, "-o", whole, *OPTIONS).code == 0
    chance = random.Random(5)
    command = [sys.executable, "-m", "uaeval", "synthesize", str(DOCUMENTS), "-o", str(broken)]
    for _ in range(6):
        with subprocess.Popen(
            [*command, *OPTIONS], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            time.sleep(chance.uniform(1.0, 6.0))
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
    assert uaeval("synthesize", DOCUMENTS, "-o", broken, *OPTIONS).code == 0
    assert _queries(broken) == _queries(whole)


@pytest.mark.slow
def test_the_whole_job_on_the_sample_runs_offline(tmp_path: Path, uaeval: Uaeval) -> None:
    run = tmp_path / "run"
    done = uaeval("synthesize", DOCUMENTS, "-o", run, "--news", NEWS)
    assert done.code == 0, done.out
    manifest = RunFolder(run).manifest()
    assert manifest
    for category, asked in manifest.asked.items():
        least = 1 if category == "underspecified" else 20
        assert manifest.selected[category] >= least, category
        assert asked == 20
    assert uaeval("evaluate", run).code == 0
    report = (run / "evaluations" / "rag" / "report.md").read_text(encoding="utf-8")
    assert "offline-2" in report
    assert uaeval("show", run).code == 0
