"""Unread files are reported on the screen, in the report, on the card, and by `--strict`."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import DOCUMENTS, Uaeval

from uaeval.knowledge.facts import KnowledgeBaseFacts, NewsFacts, kinds_of

OPTIONS = ["--size", "1", "--categories", "modality_limited"]
UNREAD = "4 of 5 files or rows were not read: 2 .odt, 1 without ending, 1 .pptx"


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "parking.md").write_bytes((DOCUMENTS / "parking.md").read_bytes())
    for name in ("a.odt", "b.ODT", "c.pptx", "Makefile"):
        (folder / name).write_text("Text.", encoding="utf-8")
    return folder


def test_unread_files_are_reported_everywhere(
    uaeval: Uaeval, documents: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    for _ in range(2):  # the second time the run is finished
        done = uaeval("synthesize", documents, "-o", run, *OPTIONS)
        assert (done.code, UNREAD in done.out) == (0, True)
        assert "documents.skipped.jsonl" in done.out
    assert UNREAD in uaeval("show", run).out
    assert uaeval("evaluate", run).code == 0
    evaluation = run / "evaluations" / "rag"
    assert UNREAD in (evaluation / "report.md").read_text(encoding="utf-8").replace("\\", "")
    uaeval("report", evaluation, "--html", tmp_path / "report.html")
    assert UNREAD in (tmp_path / "report.html").read_text(encoding="utf-8")
    uaeval("export", run, "hf", tmp_path / "hf", "--license", "mit")
    assert UNREAD in (tmp_path / "hf" / "README.md").read_text(encoding="utf-8").replace("\\", "")


def test_strict_ends_before_anything_is_written(
    uaeval: Uaeval, documents: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    done = uaeval("synthesize", documents, "-o", run, *OPTIONS, "--strict")
    assert (done.code, UNREAD in done.err) == (2, True)
    assert not (run / "queries.jsonl").exists()
    lines = (run / "documents.skipped.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["source"] for line in lines] == [
        "Makefile",
        "a.odt",
        "b.ODT",
        "c.pptx",
    ]
    assert uaeval("synthesize", documents, "-o", run, *OPTIONS).code == 0
    finished = uaeval("synthesize", documents, "-o", run, *OPTIONS, "--strict")
    assert (finished.code, UNREAD in finished.err) == (2, True)


def test_a_whole_knowledge_base_passes_strict(uaeval: Uaeval, tmp_path: Path) -> None:
    given = [DOCUMENTS / "parking.md", "-o", tmp_path / "run", *OPTIONS, "--strict"]
    done = uaeval("synthesize", *given)
    assert (done.code, "not read" in done.out) == (0, False)


def test_a_dataset_without_any_query_says_so_and_fails(uaeval: Uaeval, tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue.jsonl"
    fields = (
        "Description: library of functions\nSection: libs\nMaintainer: The Library Team\nDepends: c"
    )
    rows = [{"id": f"p{number}", "text": f"{fields}\nVersion: {number}"} for number in range(9)]
    catalogue.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = uaeval("synthesize", catalogue, "-o", tmp_path / "run", *OPTIONS)
    assert (done.code, "modality_limited: 1 fewer than asked" in done.out) == (1, True)


def test_unread_fields_are_named_and_pass_strict(uaeval: Uaeval, tmp_path: Path) -> None:
    text = (DOCUMENTS / "parking.md").read_text("utf-8")
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"text": text, "question": "Q", "mood": "calm"}), encoding="utf-8")
    done = uaeval("synthesize", rows, "-o", tmp_path / "run", *OPTIONS, "--strict")
    assert (done.code, "fields of rows were not read: “mood”" in done.out) == (0, True)
    (line,) = (tmp_path / "run" / "documents.skipped.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line) == {
        "source": "rows.jsonl", "reason": "these fields were not read: mood"
    }  # fmt: skip


@pytest.mark.parametrize("address", ["gopher://example.org/docs", "odd://bucket/docs"])
def test_an_address_as_knowledge_base_says_what_is_possible(
    uaeval: Uaeval, address: str, tmp_path: Path
) -> None:
    done = uaeval("synthesize", address, "-o", tmp_path / "run")
    assert done.code == 2
    text = " ".join(done.err.split())
    assert f"{address}: addresses of this kind cannot be read; give https://<site>" in text
    assert "download the files and give their folder" in text


def test_kinds_are_counted_by_ending() -> None:
    sources = ["a/b.rst", "c.RST", "d.csv:12", "d.csv:13", "d.csv:14", "LICENSE"]
    assert kinds_of(sources) == {".csv row": 3, ".rst": 2, "without ending": 1}


def test_rejected_and_unfetched_articles_are_counted() -> None:
    facts = KnowledgeBaseFacts(
        source="docs", fingerprint="", documents=3, skipped=0, held_out=0, chunks=9, set_aside=1,
        articles=1, news_fingerprint="", embedding="", key_phrases="",
        news=NewsFacts(rejected={"too_old": 2, "short": 1}, failed={"status": 4}),
    )  # fmt: skip
    assert facts.unread == ""
    aside, rejected, failed = facts.omissions
    assert aside.startswith("1 of 10 passages are searched, but have too little prose")
    assert rejected.startswith("3 outside articles were not taken: 2 too old, 1 short;")
    assert failed.startswith("4 pages or feeds could not be fetched or read: 4 status;")
