"""`uaeval evaluate --fail-under`: exit codes and output in a pipeline."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.cli.conftest import Uaeval
from tests.cli.finished_run import write_finished_run


@pytest.fixture
def refusing(tmp_path: Path) -> list[str]:
    """Evaluate a system that declines everything: acceptable 1, correctness 0, joint .3."""
    queries = write_finished_run(tmp_path / "run")
    path = tmp_path / "recorded.jsonl"
    rows = [{"query_id": query.id, "text": "I do not know."} for query in queries]
    path.write_text("\n".join(map(json.dumps, rows)))
    return [str(tmp_path / "run"), "--system", f"responses:{path}"]


def test_a_gate_that_holds_exits_with_0_and_one_that_does_not_with_3(
    tmp_path: Path, uaeval: Uaeval, refusing: list[str]
) -> None:
    junit = tmp_path / "ci" / "junit.xml"
    limits = ["--fail-under", "joint=0.3", "--fail-under", "acceptable.underspecified=0.9"]
    done = uaeval("evaluate", *refusing, *limits, "--junit", junit)
    assert done.code == 0, done.err
    assert "gate joint=0.3: passed" in done.out
    suites = ElementTree.parse(junit).getroot()
    assert (suites.get("tests"), suites.get("failures")) == ("2", "0")

    limits += ["--fail-under", "correctness=0.5", "--fail-over", "over_refusal=0.1"]
    done = uaeval("evaluate", *refusing, *limits, "--junit", junit)
    assert done.code == 3
    assert "gate correctness=0.5: failed (correctness: value 0.0000" in done.err
    suites = ElementTree.parse(junit).getroot()
    assert (suites.get("tests"), suites.get("failures")) == ("4", "2")
    failed = {
        case.get("name") for case in suites.iter("testcase") if case.find("failure") is not None
    }
    assert failed == {"correctness=0.5", "over_refusal=0.1"}

    assert uaeval("evaluate", *refusing, "--fail-under", "acceptable=0.9", "--lower-end").code == 3


def test_a_junit_path_that_cannot_be_written_is_reported_before_any_call(
    tmp_path: Path, uaeval: Uaeval, refusing: list[str]
) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path, tmp_path / "file" / "junit.xml"):
        done = uaeval("evaluate", *refusing, "--fail-under", "joint=0.3", "--junit", place)
        assert done.code == 2
        assert str(tmp_path) in done.err
    assert not (tmp_path / "run" / "evaluations").exists()


def test_a_system_that_never_answers_fails_the_gate(tmp_path: Path, uaeval: Uaeval) -> None:
    queries = write_finished_run(tmp_path / "run")
    path = tmp_path / "recorded.jsonl"
    rows = [{"query_id": query.id, "error": "HTTP 500"} for query in queries]
    path.write_text("\n".join(map(json.dumps, rows)))
    options = [tmp_path / "run", "--system", f"responses:{path}"]
    done = uaeval("evaluate", *options, "--fail-under", "acceptable=0")
    assert done.code == 3
    assert "acceptable_ratio has no value: nothing was judged" in done.err


def test_too_little_coverage_fails_the_gate(
    tmp_path: Path, uaeval: Uaeval, refusing: list[str]
) -> None:
    path = tmp_path / "recorded.jsonl"
    path.write_text("\n".join(path.read_text().splitlines()[:4]))
    assert uaeval("evaluate", *refusing, "--fail-under", "acceptable=0.5").code == 3
    given = ["--fail-under", "acceptable=0.5", "--min-coverage", "0.6"]
    assert uaeval("evaluate", *refusing, *given).code == 0
    assert uaeval("evaluate", *refusing).code == 6, "without a gate nothing says how many may fail"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--fail-under", "jiont=0.5"], "unknown figure 'jiont'"),
        (["--fail-under", "final_score=0.5"], "final_score=0.5: add --metrics final_score"),
        (["--lower-end"], "give a limit too"),
        (["--min-coverage", "0.5"], "give a limit too"),
        (
            ["--fail-under", "joint=0.5", "--min-coverage", "2"],
            "min_coverage: input should be",
        ),
    ],
)
def test_an_impossible_gate_is_refused_before_any_call(
    tmp_path: Path, uaeval: Uaeval, refusing: list[str], options: list[str], told: str
) -> None:
    done = uaeval("evaluate", *refusing, *options)
    assert done.code == 2
    assert told in done.err
    assert not (tmp_path / "run" / "evaluations").exists()
