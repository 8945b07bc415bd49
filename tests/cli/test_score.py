"""`uaeval score`: other weights and policies without a call."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.cli.finished_run import write_finished_run

from uaeval.evaluation.evaluation import read_scores
from uaeval.evaluation.manifest import read_manifest
from uaeval.evaluation.metrics.registry import ACCEPTABLE, JOINT
from uaeval.report.tables import find


@pytest.fixture
def evaluated(tmp_path: Path, uaeval: Uaeval) -> Path:
    """Evaluate a system that declines everything; return the evaluation's folder."""
    queries = write_finished_run(tmp_path / "run")
    path = tmp_path / "recorded.jsonl"
    rows = [{"query_id": query.id, "text": "I do not know."} for query in queries]
    path.write_text("\n".join(map(json.dumps, rows)))
    done = uaeval(
        "evaluate", tmp_path / "run", "--system", f"responses:{path}", "--name", "refuser"
    )
    assert done.code == 0, done.err
    return tmp_path / "run" / "evaluations" / "refuser"


def _joint(folder: Path) -> float | None:
    score = find(read_scores(folder / "scores.json"), JOINT)
    return score.value if score else None


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".sqlite"}


def test_the_help_says_that_settings_are_kept(uaeval: Uaeval) -> None:
    shown = " ".join(uaeval("score", "--help").out.split())
    assert shown.count("[the evaluation's]") == 2


def test_without_a_setting_everything_stays_as_it_is(evaluated: Path, uaeval: Uaeval) -> None:
    before = _files(evaluated)
    assert uaeval("score", evaluated).code == 0
    assert _files(evaluated) == before


def test_other_weights_change_only_scores_report_and_manifest(
    evaluated: Path, uaeval: Uaeval
) -> None:
    before = _files(evaluated)
    assert _joint(evaluated) == pytest.approx(0.3)
    done = uaeval("score", evaluated, "--weights", "0.4,0.6")
    assert done.code == 0, done.err
    assert "Joint score 60.0 %" in done.out.partition("Further figures")[2]
    assert _joint(evaluated) == pytest.approx(0.6)
    after = _files(evaluated)
    changed = {name for name in before if after[name] != before[name]}
    assert changed == {"scores.json", "report.md", "manifest.json"}
    assert "It is 0.4 × correctness" in (evaluated / "report.md").read_text()
    assert uaeval("score", evaluated, "--weights", "0.7,0.3").code == 0
    assert _files(evaluated) == before


def test_an_evaluation_with_other_weights_names_the_command(
    evaluated: Path, uaeval: Uaeval
) -> None:
    manifest = read_manifest(evaluated / "manifest.json")
    assert manifest
    system = ["--system", str(manifest.settings["system"]), "--name", "refuser"]
    run = evaluated.parents[1]
    done = uaeval("evaluate", run, *system, "--weights", "0.5,0.5")
    assert done.code == 2
    assert f"uaeval score {evaluated} --weights 0.5,0.5" in done.err
    done = uaeval("evaluate", run, *system, "--policy", "strict")
    assert f"uaeval score {evaluated} --policy strict --name <name>" in done.err
    assert uaeval("score", evaluated, "--weights", "0.5,0.5").code == 0
    assert uaeval("evaluate", run, *system, "--weights", "0.5,0.5").code == 0


def test_another_policy_is_scored_in_a_copy(evaluated: Path, uaeval: Uaeval) -> None:
    before = _files(evaluated)
    done = uaeval("score", evaluated, "--policy", "strict")
    assert done.code == 2
    assert "add --name" in done.err
    assert uaeval("score", evaluated, "--policy", "strict", "--name", "strict").code == 0
    assert _files(evaluated) == before
    strict = evaluated.with_name("strict")
    acceptable = find(read_scores(strict / "scores.json"), ACCEPTABLE)
    assert acceptable and acceptable.value == 0, "all queries are underspecified, all are declined"
    report = (strict / "report.md").read_text()
    assert "strict, by the verdicts; the judge was asked under lenient" in report
    attributions = (strict / "attributions.jsonl").read_text().splitlines()
    assert len(attributions) == len(before["attributions.jsonl"].splitlines()) + 3
    done = uaeval("score", evaluated, "--policy", "strict", "--name", "strict")
    assert (done.code, "exists already; choose another --name" in done.err) == (2, True)
    assert uaeval("score", strict, "--policy", "lenient", "--name", "back").code == 0
    assert _joint(evaluated.with_name("back")) == _joint(evaluated)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--weights", "0.5,0.6"], "sum to 1"),
        (["--weights", "half"], "two numbers"),
        (["--policy", "kind"], "policy"),
        (["--name", "../x"], "plain name"),
    ],
)
def test_settings_that_cannot_be_used_are_named(
    evaluated: Path, uaeval: Uaeval, options: list[str], message: str
) -> None:
    before = _files(evaluated)
    done = uaeval("score", evaluated, *options)
    assert (done.code, message in done.err) == (2, True), done.err
    assert _files(evaluated) == before


def test_a_folder_without_an_evaluation_is_refused(tmp_path: Path, uaeval: Uaeval) -> None:
    done = uaeval("score", tmp_path)
    assert done.code == 2
    assert "is not the folder of an evaluation" in done.err
