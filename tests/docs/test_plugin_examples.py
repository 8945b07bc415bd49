"""The examples of `docs/extending.md` and `docs/how-to/batch.md` that no other test runs."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import DOCUMENTS, Uaeval
from tests.cli.conftest import uaeval as uaeval
from tests.cli.finished_run import write_finished_run
from tests.docs.markdown import ROOT, Block, read_page
from tests.plugin_examples import forget, installed, lines_of

from uaeval.evaluation.evaluation import read_scores
from uaeval.knowledge import readers
from uaeval.llm.replies import YesNoJudgement


def block_with(page: str, text: str) -> Block:
    (block,) = (each for each in read_page(ROOT / "docs" / page).blocks if text in each.text)
    return block


def test_a_metric_by_code_needs_no_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, uaeval: Uaeval
) -> None:
    run = tmp_path / "run"
    write_finished_run(run)
    with installed("metric_by_code", tmp_path / "site", monkeypatch):
        done = uaeval("evaluate", run, "--metrics", "brevity", "--fail-under", "brevity=0.9")
    assert done.code == 0, done.err
    evaluation = run / "evaluations" / "rag"
    (score,) = (
        each
        for each in read_scores(evaluation / "scores.json")
        if (each.metric, each.group) == ("brevity", "overall")
    )
    assert (score.value, score.judged, score.errors) == (1.0, 6, 0)
    record = json.loads((evaluation / "brevity.jsonl").read_text().splitlines()[0])
    assert record.keys() == {"query_id", "score", "rationale"}
    assert lines_of("metric_by_code") < 40


def test_the_name_of_the_entry_is_that_of_the_metric(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, uaeval: Uaeval
) -> None:
    run = tmp_path / "run"
    write_finished_run(run)
    with installed("metric_by_code", tmp_path / "site", monkeypatch):
        (place,) = (tmp_path / "site").glob("*/entry_points.txt")
        place.write_text(place.read_text().replace("brevity =", "short ="))
        forget()
        done = uaeval("evaluate", run, "--metrics", "short")
    assert done.code == 2
    assert "'short' registers a JudgedMetric called 'brevity'; use one name for both" in done.err


def test_a_source_of_a_package_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, uaeval: Uaeval
) -> None:
    notes, run = tmp_path / "work.sqlite", tmp_path / "run"
    pages = [path.read_text(encoding="utf-8") for path in sorted(DOCUMENTS.glob("*.md"))]
    with closing(sqlite3.connect(notes)) as database, database:
        database.execute("CREATE TABLE notes (id, title, body)")
        rows = [(number, f"Note {number}", page) for number, page in enumerate(pages)]
        database.executemany("INSERT INTO notes VALUES (?, ?, ?)", rows)
    readers.installed_readers.cache_clear()
    with installed("source", tmp_path / "site", monkeypatch):
        options = ["-o", run, "--size", "1", "--categories", "modality_limited"]
        done = uaeval("synthesize", f"notes:{notes}", *options)
        missing = uaeval("synthesize", "notes:none", "-o", tmp_path / "other")
    readers.installed_readers.cache_clear()
    assert done.code == 0, done.err
    assert json.loads((run / "manifest.json").read_text())["knowledge_base"]["documents"] > 1
    assert (missing.code, "notes:none: there is no file none" in missing.err) == (2, True)
    assert lines_of("source") < 50


def test_the_offline_judge_of_a_category_is_called_with_the_fields_of_its_prompt() -> None:
    names: dict[str, Any] = {}
    exec(block_with("extending.md", "def judge(").text, names)
    fields = {"question": "q?", "reason": "It asks for a taste."}
    labels = [
        names["judge"](**fields, response=text).label
        for text in ("I have no opinion on that.", "The night crossing.")
    ]
    assert labels == ["yes", "no"]
    assert isinstance(names["judge"](**fields, response=""), YesNoJudgement)


def test_an_answer_by_hand_is_imported(tmp_path: Path, uaeval: Uaeval) -> None:
    run, requests, answers = tmp_path / "run", tmp_path / "r.jsonl", tmp_path / "a.jsonl"
    options = ["--model", "openai:m", "--mode", "batch", "--size", "1"]
    started = uaeval("synthesize", DOCUMENTS, "-o", run, *options, "--categories", "nonsensical")
    assert started.code == 5, started.err
    assert uaeval("batch", "export", run, requests).code == 0
    line = json.loads(block_with("how-to/batch.md", '"choices"').text)
    line["custom_id"] = json.loads(requests.read_text().splitlines()[0])["custom_id"]
    answers.write_text(json.dumps(line) + "\n", encoding="utf-8")
    done = uaeval("batch", "import", run, answers)
    assert done.code == 5, done.err
    assert "1 answers imported" in done.out + done.err
