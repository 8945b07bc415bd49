"""An undecided judge: in the journals, the figures, the reports, and a second run."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.cli.finished_run import write_finished_run
from tests.servers.offline_answers import offline_answer, read_back
from tests.servers.openai_server import Answer, Body, OpenAIServer

from uaeval.evaluation.evaluation import read_scores
from uaeval.evaluation.judging.judge import Undecided
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.records import Judgement, Metric, Score
from uaeval.storage import read_journal

UNDECIDED = "judgements.undecided.jsonl"
UNSURE = json.dumps({"rationale": "No words in it.", "label": "undecided"})


def unsure_of_verdicts(body: Body) -> Answer:
    """Judge like the offline engine, but label no verdict."""
    return UNSURE if read_back(body)[0] == "judge/verdict" else offline_answer(body)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_finished_run(tmp_path / "data")
    return tmp_path / "data"


def scores(folder: Path) -> dict[str, Score]:
    return {one.metric: one for one in read_scores(folder / "scores.json") if one.group == OVERALL}


def test_an_undecided_reply_is_counted_and_not_asked_again(run: Path, uaeval: Uaeval) -> None:
    folder = run / "evaluations" / "rag"
    with OpenAIServer(unsure_of_verdicts) as server:
        command = ("evaluate", run, "--judge", "openai:unsure", "--judge-base-url", server.url)
        first, asked = uaeval(*command), len(server.requests)
        written = {path.name: path.read_bytes() for path in folder.glob("judg*.jsonl")}
        second = uaeval(*command)
        assert len(server.requests) == asked
    assert (first.code, second.code) == (0, 0), first.err
    assert "Undecided by the judge: verdict 6" in first.out
    assert {path.name: path.read_bytes() for path in folder.glob("judg*.jsonl")} == written

    found = read_journal(folder / UNDECIDED, Undecided)
    assert [(one.metric, one.rationale) for one in found] == [
        (Metric.VERDICT, "No words in it.")
    ] * 6
    judgements = read_journal(folder / "judgements.jsonl", Judgement)
    assert {one.metric for one in judgements} == {Metric.ACCEPTABLE, Metric.CORRECT}
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["status"], manifest["undecided"]) == ("complete", {"verdict": 6})

    unanswered = scores(folder)["unanswered_ratio"]
    assert (unanswered.value, unanswered.n, unanswered.judged) == (None, 3, 0)
    assert (unanswered.errors, unanswered.undecided) == (0, 3)
    assert (unanswered.worst, unanswered.best) == (0.0, 1.0)
    acceptable = scores(folder)["acceptable_ratio"]
    assert (acceptable.judged, acceptable.undecided) == (3, 0)


def test_every_report_shows_what_is_undecided(run: Path, uaeval: Uaeval) -> None:
    folder, labels = run / "evaluations" / "rag", run / "labels.csv"
    with OpenAIServer(unsure_of_verdicts) as server:
        judge = ("--judge", "openai:unsure", "--judge-base-url", server.url)
        assert uaeval("evaluate", run, *judge).code == 0
    report = (folder / "report.md").read_text(encoding="utf-8")
    assert "- Undecided by the judge: verdict 6" in report
    assert "Undecided (the judge could not tell): joint score 3, correctness 3" in report
    assert "| errors | undecided | coverage % |" in report
    assert uaeval("report", folder).code == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count('"label":"undecided"') == 6
    assert page.count('"outcome":"undecided"') + page.count('"outcome":"incorrect"') == 3

    told = [f"{one.id},refused" for one in read_journal(folder / UNDECIDED, Undecided)]
    labels.write_text("\n".join(["id,label", *told[:2]]), encoding="utf-8")
    done = uaeval("calibrate", folder, "--labels", labels)
    assert done.code == 0, done.err
    assert "Undecided (the judge could not tell): verdict 2." in done.out
    calibration = json.loads((folder / "calibration.json").read_text(encoding="utf-8"))
    verdict = calibration["agreement"][0]
    assert (verdict["n"], verdict["judged"], verdict["undecided"]) == (2, 0, 2)
    assert verdict["accuracy"] is None


def test_a_gate_fails_if_the_coverage_is_too_low(run: Path, uaeval: Uaeval) -> None:
    with OpenAIServer(unsure_of_verdicts) as server:
        judge = ("--judge", "openai:unsure", "--judge-base-url", server.url)
        sound = uaeval("evaluate", run, *judge, "--fail-under", "acceptable=0")
        failed = uaeval("evaluate", run, *judge, "--fail-over", "partial=1")
    assert (sound.code, failed.code) == (0, 3)
    assert "partial_ratio has no value: nothing was judged" in failed.out + failed.err


def test_a_judge_that_is_always_undecided_is_not_a_failure(run: Path, uaeval: Uaeval) -> None:
    with OpenAIServer(lambda body: UNSURE) as server:
        done = uaeval("evaluate", run, "--judge", "openai:unsure", "--judge-base-url", server.url)
    assert done.code == 0, done.err
    assert "There is no joint score" in done.out
    assert "Undecided by the judge: verdict 6, acceptable 3, correct 3" in done.out
    assert all(one.errors == 0 for one in scores(run / "evaluations" / "rag").values())


def test_undecided_replies_of_other_judges_are_not_part_of_the_agreement(
    run: Path, uaeval: Uaeval
) -> None:
    folder = run / "evaluations" / "rag"
    with OpenAIServer(unsure_of_verdicts) as server:
        others = ("--other-judges", "openai:unsure", "--judge-base-url", server.url)
        done = uaeval("evaluate", run, "--judge", "offline", *others)
    assert done.code == 0, done.err
    assert "Undecided (the judge could not tell): openai:unsure 6." in done.out
    agreement = json.loads((folder / "agreement.json").read_text(encoding="utf-8"))
    assert agreement["undecided"] == {"openai:unsure": 6}
    assert {one["metric"] for one in agreement["labels"]} == {"acceptable", "correct"}
    assert len(read_journal(folder / "others.undecided.jsonl", Undecided)) == 6
    assert scores(folder)["unanswered_ratio"].undecided == 0


def test_an_evaluation_of_an_earlier_version_still_opens(run: Path, uaeval: Uaeval) -> None:
    for name in ("old", "new"):
        assert uaeval("evaluate", run, "--name", name).code == 0
    folder = run / "evaluations" / "old"
    (folder / UNDECIDED).unlink()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    del manifest["undecided"]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    found = json.loads((folder / "scores.json").read_text(encoding="utf-8"))["scores"]
    kept = [one for one in found if one["metric"] != "partial_ratio"]
    for one in kept:
        del one["undecided"]
    (folder / "scores.json").write_text(json.dumps({"scores": kept}), encoding="utf-8")
    for command in (("report", folder), ("compare", folder, folder.with_name("new"))):
        assert uaeval(*command).code == 0
    assert uaeval("sample", folder, "-o", run / "labels.csv").code == 0
