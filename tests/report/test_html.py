import base64
import hashlib
import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation.folders import write_evaluation
from tests.evaluation.records import (
    blocked,
    both,
    control,
    judged,
    response,
    scores,
    unanswerable,
    undecided,
)
from tests.report.written_run import write_judged, write_run

from uaeval.categories.registry import categories
from uaeval.config import RESPONSES
from uaeval.evaluation.compare import flips
from uaeval.evaluation.evaluation import read_evaluation, write_altered_queries, write_scores
from uaeval.evaluation.metrics.attribution import METRIC, Attribution, Fault
from uaeval.evaluation.metrics.items import read_items
from uaeval.evaluation.run import JUDGEMENTS
from uaeval.records import Blocked, Judgement, Metric
from uaeval.report.agreement import review_tables
from uaeval.report.comparison import FLIPS, flips_by_runs, runs_table
from uaeval.report.context import outcome
from uaeval.report.html.page import report_page
from uaeval.run_folder import Count, RunFolder
from uaeval.storage import read_journal, write_journal


def _data(page: str) -> dict[str, list[dict[str, Any]]]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    value: dict[str, list[dict[str, Any]]] = json.loads(found[1])
    return value


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    dataset = tmp_path_factory.mktemp("docs")
    queries = write_run(dataset, 12)
    return report_page([read_evaluation(write_judged(dataset, "rag", queries))])


def test_the_headline_shows_interval_coverage_and_errors(page: str) -> None:
    text = " ".join(re.sub(r"<[^>]+>", " ", page.split("<main")[1].split("</main>")[0]).split())
    assert re.search(r"Joint score \d+\.\d % 95 % interval \d", text)
    assert "coverage 95.8 % errors 1 of 24 worst to best" in text
    assert "TargetError 1 it timed out" in text


def test_every_query_is_listed_with_its_details(page: str) -> None:
    rows = _data(page)["queries"]
    assert len(rows) == 24
    query = next(row for row in rows if row["id"] == "false_presupposition-0001")
    assert {"question", "reason", "pair", "category", "evidence", "verifier"} <= set(query)
    (run,) = query["runs"]
    assert {"text", "verdict", "outcome", "judged", "contexts", "latency"} <= set(run)
    assert [one["rationale"] for one in run["judged"]] == ["So it reads."] * 2


def test_a_failed_call_is_an_error_with_its_message_and_no_outcome(page: str) -> None:
    (run,) = _data(page)["queries"][-1]["runs"]
    assert run == {
        "outcome": "error",
        "troubles": ["respond failed: TargetError: it timed out"],
    }


def test_each_passage_is_stored_once_in_the_page(page: str) -> None:
    passages = _data(page)["passages"]
    assert len(passages) == len({one["text"] for one in passages}) == 12
    for one in passages:
        assert page.count(str(one["text"])) == 1


def test_300_queries_take_less_than_2_megabytes(tmp_path: Path) -> None:
    queries = write_run(tmp_path, 150, chunk_size=900)
    folder = write_judged(tmp_path, "rag", queries, answer_size=400)
    assert len(report_page([read_evaluation(folder)]).encode()) < 2e6


def test_only_the_scripts_of_the_page_may_run(page: str) -> None:
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', page)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 3
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"sha256-{digest}" in policy.replace("&#39;", "'")
    assert "default-src &#39;none&#39;" in policy
    assert "connect-src" not in policy


def test_every_chart_is_described_in_words(page: str) -> None:
    told = re.findall(r'role="img" aria-label="([^"]+)"', page)
    assert len(told) == len(_data(page)["charts"]) >= 8
    assert any(one.startswith("Acceptable responses (%): underspecified ") for one in told)
    verdicts = next(one for one in told if one.startswith("What the system did (unanswerable "))
    assert "underspecified: " in verdicts
    assert "overall" not in verdicts
    assert any("; overall " in one for one in told)


def test_a_number_stays_with_its_percent_sign(page: str) -> None:
    head = re.search(r">acceptable %[^<]*<", page)
    assert head and head[0] == ">acceptable % (95\N{NO-BREAK SPACE}% interval)<"


def test_the_heads_of_columns_and_figures_have_their_definitions(page: str) -> None:
    titles = dict(re.findall(r'<th scope="row" title="([^"]+)"[^>]*><bdi>([^<]+)<', page))
    recall = next(title for title, name in titles.items() if name == "refusal recall")
    assert recall.endswith("refused and clarified together.")
    for name in ("refused", "twins correct"):
        assert re.search(rf'<th scope="col" title="[^"]*Share of[^"]*"[^>]*>{name}\W', page), name


def test_the_flipped_queries_are_reconciled_with_the_differences(tmp_path: Path) -> None:
    queries = write_run(tmp_path, 12)
    folders = [write_judged(tmp_path, name, queries) for name in ("a", "b")]
    unclear = read_journal(folders[0] / JUDGEMENTS, Judgement)[0]
    kept = [
        one
        for one in read_journal(folders[0] / JUDGEMENTS, Judgement)
        if one.query_id != unclear.query_id
    ]
    write_journal(folders[0] / JUDGEMENTS, Judgement, kept)
    page = report_page([read_evaluation(folder) for folder in folders])
    said = " ".join(page.partition('id="comparison-0"')[2].partition("</p>")[0].split())
    assert "Not judged in both (an error, undecided or blocked in either): 2 of the" in said
    assert (
        "undecided or blocked in either of the two does not flip" in page.partition('id="flips"')[2]
    )


def test_causes_that_are_all_unknown_are_said_and_not_drawn(page: str, tmp_path: Path) -> None:
    folder = write_judged(tmp_path, "rag", write_run(tmp_path, 6))
    path = folder / METRIC.file
    unknown = [replace(one, fault=Fault.UNKNOWN) for one in read_journal(path, Attribution)]
    write_journal(path, Attribution, unknown)
    changed = report_page([read_evaluation(folder)])
    assert ("Retrieval or generation?" in page, "The causes are unknown" in page) == (True, False)
    assert "Retrieval or generation?" not in changed
    assert "The causes are unknown: the system did not report" in changed


def test_markup_in_texts_and_names_stays_text(tmp_path: Path) -> None:
    bad = "</script><script>alert(1)</script><!--<script>"
    queries = [
        replace(one, question=bad, reason=bad) if one.reason else one
        for one in write_run(tmp_path, 6)
    ]
    name = os.fsdecode(b"<b>\xe2\x80\xae\xff")
    responses = [response(query, bad) for query in queries]
    judgements = [one for query in queries for one in both(query, "refused", "yes")]
    folder = write_evaluation(tmp_path, name, queries, responses, judgements)
    write_scores(folder / "scores.json", scores(queries, responses, judgements))
    page = report_page([read_evaluation(folder)])
    assert "alert(1)</script>" not in page
    assert page.count("<script") == 4
    assert "&lt;b&gt;\\u202e\\udcff" in page
    assert _data(page)["queries"][0]["question"] == bad
    page.encode()


def test_blocked_calls_are_reported_for_every_metric(tmp_path: Path) -> None:
    queries = write_run(tmp_path, 6)
    folder = write_judged(tmp_path, "rag", queries)
    stopped = [Blocked(id=f"{queries[0].id}/final_score", stage="judge", message="filtered")]
    write_journal(folder / "further.blocked.jsonl", Blocked, stopped)
    run = read_evaluation(folder)
    assert run.blocked_counts["judge"] == {str(queries[0].pair_category): 1}
    row = _data(report_page([run]))["queries"][0]
    assert "judge was blocked by a content filter: filtered" in str(row)


def test_several_runs_are_compared_and_their_flipped_queries_marked(tmp_path: Path) -> None:
    queries = write_run(tmp_path, 30)
    folders = [
        write_judged(tmp_path, name, queries, good=good)
        for name, good in (("weak", 0.2), ("strong", 0.95))
    ]
    page = report_page([read_evaluation(folder) for folder in folders])
    assert "strong against weak" in page
    assert "corrected for all" in page
    rows = _data(page)["queries"]
    better = [row for row in rows if row.get("flips") == ["1-0"]]
    worse = [row for row in rows if row.get("flips") == ["0-1"]]
    assert len(better) > len(worse)
    assert f"Good in strong, bad in weak: {len(better)} queries" in page
    assert all(len(row["runs"]) == 2 for row in rows)


def test_a_comparison_lists_the_queries_that_both_runs_asked(tmp_path: Path) -> None:
    invalid, *asked = write_run(tmp_path, 12)
    folders = [write_judged(tmp_path, name, [invalid, *asked]) for name in ("fewer", "all")]
    write_altered_queries(folders[0], asked, altered=True)
    for name in (RESPONSES, JUDGEMENTS, "attributions.jsonl"):
        lines = (folders[0] / name).read_text().splitlines(keepends=True)
        kept = [line for line in lines if json.loads(line)["query_id"] != invalid.id]
        (folders[0] / name).write_text("".join(kept))
    for order in (folders, reversed(folders)):
        page = report_page([read_evaluation(folder) for folder in order])
        assert [row["id"] for row in _data(page)["queries"]] == [query.id for query in asked]


def test_labels_are_counted_by_annotator_and_word() -> None:
    table, *_ = review_tables({"anna": {"valid": 2}, "ben": {"unsure": 1}}, (), ())
    assert table.columns == ("annotator", "unsure", "valid")
    assert table.rows == (("anna", "0", "2"), ("ben", "1", "0"))


def test_a_comparison_begins_with_what_weakens_its_figures(tmp_path: Path) -> None:
    queries = write_run(tmp_path, 12)
    runs = [read_evaluation(write_judged(tmp_path, name, queries)) for name in ("a", "b")]
    for run in runs:
        run.manifest.models["judge"] = "openai:judge"
    runs[0].manifest.models["judge"] = "offline-2"
    head = report_page(runs).partition("Side by side</h2>")[0].partition("<main")[2]
    assert "<li><bdi>a</bdi>: The judge is the offline engine" in head
    assert "<bdi>b</bdi>: The judge is" not in head


def test_the_categories_are_among_the_words_and_the_queries_of_a_dataset_come_first(
    tmp_path: Path, page: str
) -> None:
    for spec in categories():
        assert f"<dt>{spec.title}</dt>" in page.partition('id="words"')[2]
    write_run(tmp_path, 6)
    of_dataset = report_page([], dataset=RunFolder(tmp_path))
    assert of_dataset.index('id="all-queries"') < of_dataset.index('id="synthesis"')
    assert page.index('id="synthesis"') < page.index('id="all-queries"')


def test_a_users_control_is_not_a_twin(tmp_path: Path) -> None:
    queries = write_run(tmp_path, 6)
    own = replace(control(900), id="given-0001", pair_id=None, pair_category=None)
    page = report_page([read_evaluation(write_judged(tmp_path, "rag", [own, *queries]))])
    first, *others = _data(page)["queries"]
    assert (first["id"], first["kind"], "category" in first) == ("given-0001", "control", False)
    assert [row["kind"] for row in others] == ["query", "twin"] * 6


def test_the_outcome_of_a_query_is_one_word() -> None:
    queries = [unanswerable(1), unanswerable(2), control(3), control(4), control(5), control(6)]
    free = replace(control(7), reference_answer=None)
    responses = [response(one) for one in (*queries[:4], queries[5], free)] + [blocked(queries[4])]
    judgements = [
        *both(queries[0], "refused", "yes"),
        *both(queries[1], "answered", "no"),
        *both(queries[2], "answered", "no"),
        *both(queries[3], "refused", "yes"),
        judged(queries[5], Metric.CORRECT, "yes"),
        judged(free, Metric.VERDICT, "answered"),
    ]
    unclear, vague = control(9), replace(control(10), reference_answer=None)
    half = replace(control(11), reference_answer=None)
    judgements.append(judged(half, Metric.VERDICT, "partial"))
    responses += [response(one) for one in (unclear, vague, half)]
    open_ones = [
        undecided(unclear, Metric.VERDICT),
        undecided(unclear, Metric.CORRECT),
        undecided(vague, Metric.VERDICT),
    ]
    asked = [*queries, free, unanswerable(8), unclear, vague, half]
    items = read_items(asked, responses, judgements, open_ones)
    assert [outcome(item) for item in items] == [
        "acceptable",
        "unacceptable",
        "incorrect",
        "over-refused",
        "blocked",
        "error",
        "answered",
        "error",
        "undecided",
        "undecided",
        "partial",
    ]


def test_a_candidate_that_selection_rejected_is_not_called_unneeded(tmp_path: Path) -> None:
    write_run(tmp_path, 6)
    run = RunFolder(tmp_path)
    manifest = run.existing_manifest()
    reasons = {"duplicate": 4, "spare": 1}
    manifest.stages["select"] = {"nonsensical": Count(rejected=5, reasons=reasons)}
    run.write_manifest(manifest)
    (chart,) = (
        one
        for one in _data(report_page((), run))["charts"]
        if "proven, not needed" in one["series"]
    )
    counts = {one["part"]: one["value"] for one in chart["rows"] if one["row"] == "nonsensical"}
    written = {"in the dataset": 1, "proven, not needed": 1, "rejected by a check": 3 + 4}
    assert counts == written | {"no candidate written": 4}


def test_several_runs_are_in_one_table_with_their_intervals(tmp_path: Path) -> None:
    queries = write_run(tmp_path, 12)
    runs = [read_evaluation(write_judged(tmp_path, name, queries)) for name in ("a", "b")]
    table = runs_table(runs)
    assert table.columns == (
        "run",
        "joint score %",
        "correctness %",
        "acceptable ratio %",
        "over-refusal rate %",
        "coverage %",
        "failed calls",
    )
    assert [row[0] for row in table.rows] == ["a", "b"]
    assert re.fullmatch(r"\d+\.\d \(\d+\.\d–\d+\.\d\*?\)", table.rows[0][1])


def test_a_large_page_lists_a_sample_of_pairs_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = write_run(tmp_path, 60)
    runs = [
        read_evaluation(write_judged(tmp_path, name, queries, good=good))
        for name, good in (("poor", 0.2), ("rag", 0.9))
    ]
    assert "drawn at random" not in report_page(runs)
    monkeypatch.setattr("uaeval.report.html.page.LISTED", 40)
    page = report_page(runs)
    listed = {row["id"]: row["pair"] for row in _data(page)["queries"]}
    in_tables = (members[:FLIPS] for members in flips_by_runs(flips(runs)))
    flipped = {flip.query_id for members in in_tables for flip in members}
    assert flipped <= listed.keys()
    alone = {query_id for query_id, pair in listed.items() if pair not in listed}
    assert alone <= flipped
    assert len(listed.keys() - flipped) < 40 <= len(listed) <= 40 + FLIPS
    assert f"Listed are {len(listed)} of 120 queries" in page
    assert re.search(r"coverage\W+99\.2 %", re.sub(r"<[^>]+>", " ", page))
    assert report_page(runs) == page
