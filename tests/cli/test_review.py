"""`uaeval review`: from the command to figures, and through a kill."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.review.serving import client, reviewing, write_run

from uaeval.evaluation.manifest import read_manifest
from uaeval.labels import Label, read_label_rows
from uaeval.run_folder import RunFolder


@contextmanager
def _served(
    run: Path, *options: str, name: str = "review"
) -> Iterator[tuple["subprocess.Popen[str]", list[str]]]:
    """Start the command; yield it and the addresses that it prints."""
    command = [sys.executable, "-m", "uaeval", name, str(run), *options]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"},
    ) as process:
        addresses = list[str]()
        assert process.stdout
        for line in process.stdout:
            addresses += re.findall(r"http://\S+", line)
            if "Ctrl-C ends" in line:
                break
        try:
            yield process, addresses
        finally:
            process.kill()


def test_every_word_survives_a_kill_and_ctrl_c_shows_what_was_found(tmp_path: Path) -> None:
    run = tmp_path / "run"
    write_run(run)
    with _served(run, "--annotator", "anna", "--size", "5") as (process, (address,)):
        with client(address) as page:
            for place in range(3):
                said = {"word": "valid", "reason": f"the {place}"}
                assert page.post(f"api/tasks/0/items/{place}/label", json=said).status_code == 200
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert [row.reason for row in read_label_rows(run / "labels.jsonl", Label)] == [
        "the 0",
        "the 1",
        "the 2",
    ]
    with _served(run, "--annotator", "anna", "--size", "5") as (process, (address,)):
        with client(address) as page:
            items = page.get("api/review").json()["tasks"][0]["items"]
            assert [one["word"] for one in items] == ["valid"] * 3 + [None] * 2
            page.post("api/tasks/0/items/3/label", json={"word": "invalid"})
        process.send_signal(signal.SIGINT)
        out = process.stdout.read() if process.stdout else ""
        assert process.wait() == 0
    assert "Validity by category" in out
    found = json.loads((run / "review.json").read_text())
    assert found["counts"] == {"anna": {"valid": 3, "invalid": 1}}


def test_view_gives_each_annotator_an_address_of_their_own(tmp_path: Path) -> None:
    run = tmp_path / "run"
    write_run(run)
    options = ("--annotator", "anna", "--annotator", "ben")
    with _served(tmp_path, *options, name="view") as (_, addresses):
        for name, address in zip(("anna", "ben"), addresses, strict=True):
            with client(address) as page:
                link = re.search(r'review/[^/"]+/', page.get("").text)
                assert link
                assert page.get(f"{link[0]}api/review").json()["annotator"] == name


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """A run of which two annotators labelled all queries and judgements."""
    run = tmp_path / "run"
    write_run(run)
    with reviewing(run, ("anna", "ben"), size=100) as at:
        for name, address in at.items():
            with client(address) as page:
                tasks = page.get("api/review").json()["tasks"]
                for number, task in enumerate(tasks):
                    for place, item in enumerate(task["items"]):
                        word = _word(item["group"], name, place)
                        path = f"api/tasks/{number}/items/{place}/label"
                        assert page.post(path, json={"word": word}).status_code == 200
    return run


def _word(group: str, name: str, place: int) -> str:
    if group == "verdict":
        return "refused"
    if group.startswith(("acceptable", "correct")):
        return "yes" if place % 2 else "no"
    return "invalid" if place == 0 and name == "ben" else "valid"


def test_results_are_shown_without_serving_anything(labelled: Path, uaeval: Uaeval) -> None:
    done = uaeval("review", labelled, "--results")
    assert done.code == 0, done.err
    for told in ("Agreement between annotators", "Disagreements: 1 open", "anna, ben"):
        assert told in done.out
    found = json.loads((labelled / "review.json").read_text())
    assert {score["group"] for score in found["validity"]} >= {"overall", "controls"}
    judged = json.loads((labelled / "evaluations/rag/review.json").read_text())
    assert {pair["metric"] for pair in judged["agreement"]} == {"verdict", "acceptable", "correct"}


def test_calibrate_takes_what_was_labelled_on_the_page(labelled: Path, uaeval: Uaeval) -> None:
    done = uaeval("calibrate", labelled)
    assert done.code == 0, done.err
    assert "The judge against people" in done.out
    written = json.loads((labelled / "evaluations/rag/calibration.json").read_text())
    overall = [one for one in written["agreement"] if one["group"] == "overall"]
    assert {one["metric"]: one["n"] for one in overall} == {
        "verdict": 10,
        "acceptable": 5,
        "correct": 5,
    }


def test_review_reports_unusable_input_in_one_sentence_with_exit_code_2(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    assert "no queries.jsonl" in uaeval("review", tmp_path).err
    run = tmp_path / "run"
    write_run(run)
    twice = uaeval("review", run, "--annotator", "anna", "--annotator", "anna")
    assert (twice.code, "have the same name" in twice.err) == (2, True)
    odd = uaeval("review", run, "--annotator", "an\u202ena")
    assert (odd.code, "printable" in odd.err) == (2, True)
    (run / "labels.jsonl").write_text('{"query_id": "x"}\n')
    broken = uaeval("review", run, "--results")
    assert (broken.code, "labels.jsonl:1" in broken.err) == (2, True)


def test_an_evaluation_that_has_not_ended_cannot_be_reviewed(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    run = tmp_path / "run"
    write_run(run)
    path = run / "evaluations" / "rag" / "manifest.json"
    manifest = read_manifest(path)
    assert manifest
    RunFolder(path.parent).write_manifest(manifest.model_copy(update={"status": "running"}))
    done = uaeval("review", run / "evaluations" / "rag", "--results")
    assert (done.code, "is not finished" in done.err) == (2, True)
    assert "No labels of queries" in uaeval("review", run, "--results").out
