"""Several judges of one evaluation: the first decides, or the majority; agreement is shown."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.cli.finished_run import write_finished_run
from tests.servers.offline_answers import offline_answer, read_back
from tests.servers.openai_server import Answer, Body, OpenAIServer

from uaeval.evaluation.evaluation import read_scores
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.records import Failure, Judgement, Score
from uaeval.storage import read_journal


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_finished_run(tmp_path / "data")
    return tmp_path / "data"


def contrary(body: Body) -> Answer:
    """Judge like the offline engine, but label nothing acceptable and everything answered."""
    name, _ = read_back(body)
    if name.startswith("judge/verdict"):
        return json.dumps({"rationale": "r", "label": "answered"})
    if name.endswith("/acceptable"):
        return json.dumps({"rationale": "r", "label": "no"})
    return offline_answer(body)


def scores(run: Path, name: str) -> dict[str, Score]:
    found = read_scores(run / "evaluations" / name / "scores.json")
    return {one.metric: one for one in found if one.group == OVERALL}


def test_other_judges_decide_nothing_and_may_be_added_later(run: Path, uaeval: Uaeval) -> None:
    with OpenAIServer(contrary) as server:
        command = ("evaluate", run, "--judge", "openai:contrary", "--judge-base-url", server.url)
        assert uaeval(*command).code == 0
        before, asked = scores(run, "rag"), len(server.requests)
        done = uaeval(*command, "--other-judges", "offline")
        assert len(server.requests) == asked, "what the first judge said is there already"
    assert done.code == 0, done.err
    assert scores(run, "rag") == before
    assert before["unanswered_ratio"].value == 0
    folder = run / "evaluations" / "rag"
    alone = read_journal(folder / "judgements.others.jsonl", Judgement)
    assert {one.judge for one in alone} == {"offline-2", "openai:contrary"}
    assert len(alone) == 2 * len(read_journal(folder / "judgements.jsonl", Judgement))
    agreement = json.loads((folder / "agreement.json").read_text(encoding="utf-8"))["labels"]
    by_metric = {one["metric"]: one for one in agreement}
    assert set(by_metric) == {"verdict", "acceptable", "correct"}
    assert by_metric["correct"]["same"] == by_metric["correct"]["n"] == 3
    assert by_metric["acceptable"]["same"] + len(by_metric["acceptable"]["differing"]) == 3
    assert "Do the judges agree?" in done.out
    assert "Do the judges agree?" in (folder / "report.md").read_text(encoding="utf-8")


def test_a_majority_of_the_judges_decides_on_demand(run: Path, uaeval: Uaeval) -> None:
    with OpenAIServer(contrary) as server:
        judges = ("--other-judges", "openai:one,openai:two", "--judge-base-url", server.url)
        options = ("--judge", "openai:three", *judges)
        assert uaeval("evaluate", run, "--name", "all", *options, "--majority").code == 0
    found = scores(run, "all")
    assert found["acceptable_ratio"].value == found["unanswered_ratio"].value == 0
    judgements = read_journal(run / "evaluations" / "all" / "judgements.jsonl", Judgement)
    assert {one.judge for one in judgements} == {"openai:three + openai:one + openai:two"}
    verdicts = [one.votes for one in judgements if one.metric == "verdict"]
    assert verdicts == [{"answered": 3}] * 6


def test_a_failure_of_another_judge_changes_no_score(run: Path, uaeval: Uaeval) -> None:
    with OpenAIServer(lambda body: "Fine by me.") as server:
        options = ("--other-judges", "openai:idle", "--judge-base-url", server.url)
        sound = uaeval("evaluate", run, "--name", "sound")
        done = uaeval("evaluate", run, "--name", "idle", "--judge", "offline", *options)
    assert (sound.code, done.code) == (0, 6), "the agreement is still lacking"
    assert scores(run, "idle") == scores(run, "sound")
    folder = run / "evaluations" / "idle"
    failures = read_journal(folder / "others.failed.jsonl", Failure)
    assert {failure.kind for failure in failures} == {"ReplyError"}
    agreement = json.loads((folder / "agreement.json").read_text(encoding="utf-8"))
    assert agreement == {"labels": [], "undecided": {}}
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["failures"] == {"respond": 0, "judge": 0, "other_judge": len(failures)}


def test_a_damaged_agreement_is_named(run: Path, uaeval: Uaeval) -> None:
    with OpenAIServer(contrary) as server:
        options = ("--other-judges", "openai:other", "--judge-base-url", server.url)
        assert uaeval("evaluate", run, "--name", "two", "--judge", "offline", *options).code == 0
    folder = run / "evaluations" / "two"
    (folder / "agreement.json").write_text("{}")
    done = uaeval("report", folder)
    assert done.code == 2
    assert "agreement.json holds no agreement of judges; evaluate again" in done.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--majority",), "majority: name two other_judges or more"),
        (("--majority", "--other-judges", "openai:a"), "majority: name two other_judges or more"),
        (("--other-judges", "offline"), "other_judges: each judge may be named only once"),
        (("--other-judges", "openai:a,openai:a"), "each may be named only once"),
    ],
)
def test_judges_that_cannot_vote_are_refused(
    run: Path, uaeval: Uaeval, options: tuple[str, ...], told: str
) -> None:
    done = uaeval("evaluate", run, *options)
    assert (done.code, told in done.err) == (2, True), done.err
