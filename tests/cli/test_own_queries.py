"""`--queries` and `--controls`: the user's own data, from the file to the score."""

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import DOCUMENTS, Uaeval

from uaeval.run_folder import RunFolder
from uaeval.storage import read_json


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name in ("membership-tiers.md", "training-and-study-support.md", "parking.md"):
        shutil.copy(DOCUMENTS / name, folder)
    return folder


def lines(path: Path, *rows: dict[str, str]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


OWN = (
    {
        "id": "0002",
        "question": "photo attached of my notes on Heron membership, what did I write "
        "in the margin next to the arrow?",
        "category": "modality_limited",
    },
    {
        "id": "0001",
        "question": "What does the museum pay for an outside course?",
        "category": "modality_limited",
    },
)


def test_own_queries_are_verified_paired_and_evaluated(
    tmp_path: Path, uaeval: Uaeval, documents: Path
) -> None:
    run, mine = tmp_path / "run", lines(tmp_path / "mine.jsonl", *OWN)
    command = ["synthesize", documents, "-o", run, "--queries", mine]
    done = uaeval(*command)
    assert done.code == 0, done.err
    query, twin = RunFolder(run).queries()
    assert (query.id, query.question) == ("0002", OWN[0]["question"])
    assert (query.provenance.generator, twin.provenance.generator) == ("user", "offline-2")
    assert twin.id == "0002-twin"
    assert twin.reference_answer
    rejected = (run / "verify.rejected.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line)["check"] for line in rejected.splitlines()] == ["inconclusive"]
    manifest = RunFolder(run).manifest()
    assert manifest
    assert manifest.stages["generate"]["modality_limited"].by_offline == 0
    assert manifest.asked == {"modality_limited": 2}

    before = (run / "manifest.json").stat().st_mtime_ns
    assert uaeval(*command).code == 0
    assert (run / "manifest.json").stat().st_mtime_ns == before
    lines(mine, *OWN, {"question": "ah ok so then the", "category": "nonsensical"})
    refused = uaeval(*command)
    assert refused.code == 2
    assert "the file of queries has changed" in refused.err

    answer = {"question": "What does Heron membership cost?", "answer": "£62 a year"}
    controls = lines(tmp_path / "controls.jsonl", {"id": "mine", **answer})
    done = uaeval("evaluate", run, "--controls", controls)
    assert done.code == 0, done.err
    scores = json.loads((run / "evaluations" / "rag" / "scores.json").read_text())
    assert read_json(run / "evaluations" / "rag" / "manifest.json")["queries"] == 3
    listed = scores["scores"] if isinstance(scores, dict) else scores
    n = {(one["metric"], one["group"]): one["n"] for one in listed}
    assert n["correctness", "overall"] == 2
    assert n["acceptable_ratio", "overall"] == 1


def test_a_file_without_a_run_needs_an_index_for_rag(tmp_path: Path, uaeval: Uaeval) -> None:
    mine = lines(tmp_path / "mine.jsonl", *OWN)
    done = uaeval("evaluate", mine)
    assert done.code == 2
    assert "--index" in done.err


def test_a_file_that_is_none_is_named(tmp_path: Path, uaeval: Uaeval, documents: Path) -> None:
    done = uaeval(
        "synthesize", documents, "-o", tmp_path / "run", "--queries", tmp_path / "none.jsonl"
    )
    assert done.code == 2
    assert "none.jsonl" in done.err


def test_formats_are_listed_with_what_they_lose(uaeval: Uaeval) -> None:
    done = uaeval("export", "--list")
    assert done.code == 0
    for told in ("ragas (folder)", "loses", "answer relevancy scores every refusal 0", "promptfoo"):
        assert told in done.out


def test_an_export_needs_a_format_and_a_place(tmp_path: Path, uaeval: Uaeval) -> None:
    done = uaeval("export", tmp_path)
    assert done.code == 2
    assert "--list" in done.err
