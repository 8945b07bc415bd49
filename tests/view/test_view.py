"""The page with the list of runs, over HTTP."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.report.written_run import write_judged, write_run
from tests.review.serving import client, serving

from uaeval.evaluation.manifest import read_manifest
from uaeval.run_folder import RunFolder
from uaeval.view.app import view_app
from uaeval.view.runs import find_runs


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder with two runs: `docs` with two evaluations, and `team/guide` with one."""
    queries = write_run(tmp_path / "docs", 12)
    write_judged(tmp_path / "docs", "weak", queries, good=0.3)
    write_judged(tmp_path / "docs", "strong", queries, good=0.9)
    write_judged(tmp_path / "team" / "guide", "rag", write_run(tmp_path / "team" / "guide", 6))
    return tmp_path


@pytest.fixture
def page(runs: Path) -> Iterator[httpx.Client]:
    with serving(view_app(runs)) as addresses, client(addresses["anna"]) as opened:
        yield opened


def _link(page: httpx.Client, kind: str, name: str) -> str:
    """Return the link of a kind in the section of a run, or in the row of an evaluation."""
    text = page.get("runs").text
    part = next(each for each in re.split("<section|<tr", text) if f"<bdi>{name}</bdi>" in each)
    found = re.search(rf'href="({kind}/[^"]+)"', part)
    assert found, f"{name} has no link to {kind}"
    return found[1]


def test_the_list_shows_each_run_with_its_quotas_and_its_evaluations(page: httpx.Client) -> None:
    text = page.get("").text
    assert text.count("<section") == 2
    for name in ("docs", "team/guide", "weak", "strong", "rag"):
        assert f"<bdi>{name}</bdi>" in text
    assert re.search(r"<span>nonsensical</span>.*<strong>2</strong> of 2", text)
    assert "In brackets: the 95 % interval" in text
    assert re.search(r"<dt>over-refusal rate</dt><dd>.*The lower, the better", text)
    head = re.search(r'<a href="#(\w+)" title="Share of the twins refused[^"]*">over-refusal', text)
    assert head and f'<div id="{head[1]}"><dt>over-refusal rate</dt>' in text


def test_an_evaluation_leads_to_its_report_and_back(page: httpx.Client) -> None:
    reply = page.get(_link(page, "reports", "strong"))
    assert reply.status_code == 200
    assert "<title>strong" in reply.text
    assert '<a href="../">All runs</a>' in reply.text
    assert reply.headers["content-security-policy"] == "frame-ancestors 'none'"
    assert "script-src &#39;sha256-" in reply.text


def test_two_evaluations_are_compared(page: httpx.Client) -> None:
    first, second = (_link(page, "reports", name) for name in ("weak", "strong"))
    reply = page.get(f"{first}+{second.removeprefix('reports/')}")
    assert reply.status_code == 200
    assert "<title>weak vs strong" in reply.text


def test_evaluations_of_different_datasets_are_not_compared_and_the_page_says_why(
    page: httpx.Client,
) -> None:
    first, second = (_link(page, "reports", name) for name in ("weak", "rag"))
    reply = page.get(f"{first}+{second.removeprefix('reports/')}")
    assert reply.status_code == 409
    assert "cannot be shown" in reply.text
    assert "dataset" in reply.text


def test_a_dataset_without_an_evaluation_has_a_page_of_its_queries(
    runs: Path, page: httpx.Client
) -> None:
    write_run(runs / "new", 6)
    reply = page.get(_link(page, "datasets", "new"))
    assert reply.status_code == 200
    assert '"id":"false_presupposition-0001"' in reply.text
    assert "Joint score" not in reply.text


def test_the_review_of_a_run_saves_labels_in_it_and_links_back(
    runs: Path, page: httpx.Client
) -> None:
    address = _link(page, "review", "docs")
    assert "Review" in page.get(address).text
    overview = page.get(f"{address}api/review").json()
    assert (overview["annotator"], overview["home"]) == ("anna", "../../")
    reply = page.post(f"{address}api/tasks/0/items/0/label", json={"word": "valid"})
    assert reply.status_code == 200, reply.text
    assert '"valid"' in RunFolder(runs / "docs").labels_path.read_text(encoding="utf-8")


def test_a_running_evaluation_is_shown_and_has_no_report_yet(
    runs: Path, page: httpx.Client
) -> None:
    run = RunFolder(runs / "docs")
    manifest = run.existing_manifest()
    manifest.status, manifest.selected = "running", {}
    manifest.stages["verify"]["nonsensical"].kept = 1
    run.write_manifest(manifest)
    run.queries_path.unlink()
    text = page.get("runs").text
    assert re.search(r"running</span> last written\s+<span class=\"ago\">\d+ s ago", text)
    for path in run.path.iterdir():
        os.utime(path, (0, time.time() - 120))
    assert re.search(
        r"unfinished</span> last written\s+<span class=\"ago\">2 min ago", page.get("runs").text
    )
    assert re.search(r"<span>nonsensical</span>.*<strong>1</strong> of 2", text)
    docs = next(part for part in text.split("<section") if "<bdi>docs</bdi>" in part)
    assert "datasets/" not in docs


@pytest.mark.parametrize("first", ["docs", "team/guide"])
def test_the_run_whose_evaluation_was_written_last_comes_first(runs: Path, first: str) -> None:
    for path in runs.rglob("*"):
        os.utime(path, (600, 600))
    manifest = next((runs / first).glob("evaluations/*/manifest.json"))
    os.utime(manifest, (1200, 1200))
    assert next(run.name for run in find_runs(runs)[0]) == first


def test_a_running_evaluation_shows_its_responses_so_far(runs: Path, page: httpx.Client) -> None:
    folder = RunFolder(runs / "docs" / "evaluations" / "weak")
    manifest = read_manifest(folder.manifest_path)
    assert manifest
    manifest.status = "running"
    folder.write_manifest(manifest)
    lines = (folder.path / "responses.jsonl").read_bytes().splitlines(keepends=True)
    (folder.path / "responses.jsonl").write_bytes(b"".join(lines[:5]))
    assert f"5 of {manifest.queries} responses" in page.get("runs").text
    with (folder.path / "responses.jsonl").open("ab") as file:
        file.write(lines[5])
    text = page.get("runs").text
    assert f"6 of {manifest.queries} responses" in text
    row = next(each for each in text.split("<tr") if "<bdi>weak</bdi>" in each)
    assert "reports/" not in row


def test_a_report_leads_to_the_review_of_its_dataset_and_the_review_to_the_queries(
    page: httpx.Client,
) -> None:
    review = _link(page, "review", "docs")
    for kind, name in (("reports", "strong"), ("datasets", "docs")):
        text = page.get(_link(page, kind, name)).text
        assert f'<a href="../{review}">Review</a>' in text
        assert f'"review":"../{review}"' in text
    overview = page.get(f"{review}api/review").json()
    assert overview["source"] == f"../../{_link(page, 'datasets', 'docs')}"


def test_an_unreadable_run_is_named_and_does_not_hide_the_others(
    runs: Path, page: httpx.Client
) -> None:
    (runs / "docs" / "evaluations" / "weak" / "scores.json").write_text("{", encoding="utf-8")
    other = runs / "other"
    other.mkdir()
    (other / "manifest.json").write_text('{"name": "<b>not ours</b>"}', encoding="utf-8")
    text = page.get("runs").text
    assert "<bdi>strong</bdi>" in text
    assert "Not shown" in text
    assert re.search(r"other/manifest\.json is no manifest of this version", text)
    assert "weak/scores.json" in text


@pytest.mark.parametrize("name", ["reports/zzz", "datasets/..%2f..", "review/zzz/", "reports/"])
def test_an_unknown_address_is_a_page_that_leads_home(page: httpx.Client, name: str) -> None:
    reply = page.get(name)
    assert reply.status_code == 404
    assert 'href="../' in reply.text


def test_names_of_folders_are_escaped(runs: Path, page: httpx.Client) -> None:
    write_run(runs / "<img src=x onerror=alert(1)>", 6)
    text = page.get("").text
    assert "&lt;img src=x" in text
    assert "<img" not in text


def test_the_command_that_evaluates_a_run_is_quoted_for_a_shell(
    runs: Path, page: httpx.Client
) -> None:
    write_run(runs / "two words", 6)
    command = f"uaeval evaluate <bdi>&#39;{(runs / 'two words')}&#39;</bdi> --system rag"
    assert command in page.get("").text


def test_a_damaged_file_of_the_dataset_is_named_on_its_page(runs: Path, page: httpx.Client) -> None:
    RunFolder(runs / "docs").queries_path.write_text("{}\n", encoding="utf-8")
    reply = page.get(_link(page, "datasets", "docs"))
    assert reply.status_code == 409
    assert "queries.jsonl" in reply.text


def test_an_empty_folder_says_what_to_do(tmp_path: Path) -> None:
    with serving(view_app(tmp_path)) as addresses, client(addresses["anna"]) as page:
        assert "There is no run here yet" in page.get("").text
